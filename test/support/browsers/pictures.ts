import { mkdirSync, writeFileSync } from "node:fs";
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

/** Writes a picture of the whole page. WebP takes a third of the size of PNG. */
export async function takePicture(page: Page, name: string, form: string): Promise<void> {
  const folder = PICTURES ?? "";
  mkdirSync(folder, { recursive: true });
  const [width, height] = await page.evaluate<[number, number]>("[innerWidth, document.documentElement.scrollHeight]");
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: 75,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale: 1 },
  });
  writeFileSync(join(folder, `page-${name}-${form}.webp`), Buffer.from(data, "base64"));
}
