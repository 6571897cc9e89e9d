import { globSync } from "node:fs";
import { buildGuide } from "../../scripts/docs/guide/build-guide.ts";
import { toGuidePath } from "../../scripts/docs/guide/guide-paths.ts";

const texts = new Map(buildGuide(process.cwd()).map(({ path, text = "" }) => [path, text]));

function linkOf(path: string, rel: "prev" | "next"): string | undefined {
  return new RegExp(`rel="${rel}" href="([^"]+)"`).exec(texts.get(path) ?? "")?.[1];
}

test("the links to the next page lead through all pages of docs, and those to the previous one back", () => {
  const visited = ["/docs/guide"];
  for (const path of visited) {
    const next = linkOf(path, "next");
    if (next === undefined) continue;
    expect([next, linkOf(next, "prev")]).toEqual([next, path]);
    visited.push(next);
  }
  const pages = globSync("docs/**/*.md").map(toGuidePath);
  expect(pages.filter((page) => !visited.includes(page))).toEqual([]);
  expect(visited.indexOf("/docs/guide/providers/google")).toBeGreaterThan(visited.indexOf("/docs/guide/providers"));
  expect(new Set(visited).size).toBe(visited.length);
});

test("each page of docs with sections has a table of contents", () => {
  for (const file of globSync("docs/**/*.md")) {
    const [, main = "", aside = ""] = /<main>(.*)<\/main>(.*)/s.exec(texts.get(toGuidePath(file)) ?? "") ?? [];
    const ids = [...main.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => `#${id}`);
    expect([file, ids.filter((id) => !aside.includes(`href="${id}"`))]).toEqual([file, []]);
  }
});
