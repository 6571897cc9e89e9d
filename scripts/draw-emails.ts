/**
 * Takes the screenshots of the initialization email for docs/messages.md: `node scripts/draw-emails.ts [folder]`.
 * Requires Chromium at CHROMIUM_PATH, by default /usr/bin/chromium.
 */
import { join } from "node:path";
import { chromium } from "playwright-core";
import { renderEmail } from "../src/messages/templates/render.ts";

const folder = process.argv[2] ?? "docs/images";
const pictures = [
  { name: "email-wide", language: "en", width: 720, colorScheme: "light" },
  { name: "email-narrow", language: "de", width: 375, colorScheme: "light" },
  { name: "email-dark", language: "fr", width: 720, colorScheme: "dark" },
] as const;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const { name, language, width, colorScheme } of pictures) {
  const { html } = renderEmail({
    kind: "initialization",
    displayName: "Ada Lovelace",
    language,
    link: "https://id.example.com/ui/init?code=0198f3b2-7c1d-7e4a-9b60-3f2a1c5d8e90.q2Xk9-vT_4mZ8sLw1RbN7g",
    recipient: "ada@example.com",
    isVerified: false,
  });
  const page = await browser.newPage({ viewport: { width, height: 200 }, colorScheme });
  await page.setContent(html);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.close();
}
await browser.close();
