import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";

/** The folder for pictures of the pages, which `npm run pictures` sets to docs/images. None are taken without it. */
export const PICTURES = process.env.PICTURES;

/** A computer and a phone, in light and dark. */
export const PICTURE_FORMS: readonly (readonly [form: string, options: BrowserContextOptions])[] = [
  ["wide", { viewport: { width: 1280, height: 800 } }],
  ["wide-dark", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
  ["narrow", { viewport: { width: 390, height: 844 } }],
  ["narrow-dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
];

/** What the documents show. Pictures of other pages are taken in other folders only, for people who work on the pages. */
const SHOWN =
  PICTURES === "docs/images"
    ? globSync("docs/*.md")
        .map((file) => readFileSync(file, "utf8"))
        .join()
    : undefined;

/** Writes a picture of the whole page. WebP takes a third of the size of PNG. */
export async function takePicture(page: Page, name: string, form: string): Promise<void> {
  const folder = PICTURES ?? "";
  const file = `page-${name}-${form}.webp`;
  if (SHOWN !== undefined && !SHOWN.includes(file)) return;
  mkdirSync(folder, { recursive: true });
  const [width, height] = await page.evaluate<[number, number]>("[innerWidth, document.documentElement.scrollHeight]");
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: 75,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  writeFileSync(join(folder, file), Buffer.from(data, "base64"));
}
