import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * What axe finds wrong with a page by WCAG 2.2 AA and by best practices: one line per element. Waits for its styles, and
 * looks from the top, where the header covers nothing: axe measures a link without the part that is behind the header.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.waitForLoadState();
  await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
  // Scripts that a page evaluates for a test are not subject to its Content-Security-Policy.
  await page.evaluate(AXE);
  return await page.evaluate<string[]>(`axe.run({ runOnly: ${JSON.stringify(TAGS)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      [id, target.join(" "), failureSummary.split("\\n").at(-1).trim()].join(": "))))`);
}
