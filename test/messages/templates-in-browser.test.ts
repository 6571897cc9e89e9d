import type { Browser } from "playwright-core";
import { renderEmail } from "../../src/messages/templates/render.ts";
import { LANGUAGES } from "../../src/texts/languages.ts";
import { describeInChromium, launchChromium } from "../support/browsers/chromium.ts";

const LINK = "https://id.example.com/ui/init?code=0198f3b2-7c1d-7e4a-9b60-3f2a1c5d8e90.q2Xk9-vT_4mZ8sLw1RbN7g";
const VALUES = { displayName: "Ada", link: LINK, recipient: "ada@example.com", isVerified: false };

describeInChromium("the email, in Chromium", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Opens the email, and records its network requests. */
  async function open(
    language: string,
    { width, colorScheme, ...values }: { width: number; colorScheme: "light" | "dark" } & Partial<typeof VALUES>,
  ) {
    const page = await browser.newPage({ viewport: { width, height: 600 }, colorScheme });
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const { html } = renderEmail({ kind: "initialization", ...VALUES, ...values, language });
    await page.setContent(html, { waitUntil: "load" });
    return { page, requests };
  }

  test.each(LANGUAGES)("in %s fits a screen of 320 pixels, and loads nothing", async (language) => {
    const { page, requests } = await open(language, { width: 320, colorScheme: "light" });
    const width = await page.evaluate("document.documentElement.scrollWidth");
    await page.close();
    expect(width).toBe(320);
    expect(requests).toEqual([]);
  });

  test("fits a screen of 320 pixels with the longest names, hosts and addresses", async () => {
    const label = "w".repeat(63);
    const { page } = await open("en", {
      width: 320,
      colorScheme: "light",
      displayName: "W".repeat(60),
      link: `https://${label}.example.com/ui/init?code=${"w".repeat(59)}`,
      recipient: `${label}@${label}.${label}.example.com`,
    });
    const [text, width] = [await page.textContent("body"), await page.evaluate("document.documentElement.scrollWidth")];
    await page.close();
    expect(text).toContain("W".repeat(60));
    expect(text).toContain(`${label}@${label}`);
    expect(width).toBe(320);
  });

  test("has its link as a button and as text", async () => {
    const { page } = await open("en", { width: 720, colorScheme: "light" });
    const links = await page
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
    await page.close();
    expect(links).toEqual([
      ["Confirm email address", LINK],
      ["id.example.com/ui/init", LINK],
    ]);
  });

  test.each(["light", "dark"] as const)("has a contrast of 4.5 or more everywhere in %s", async (colorScheme) => {
    const { page } = await open("en", { width: 720, colorScheme });
    const colors = await page.evaluate<[front: string, back: string][]>(COLORS);
    await page.close();
    expect(colors).toHaveLength(8);
    for (const [front, back] of colors) expect(contrast(front, back)).toBeGreaterThanOrEqual(4.5);
    expect(luminance(colors[0]?.[1] ?? "") < 0.1).toBe(colorScheme === "dark");
  });
});

/** The color of each text and of its background. */
const COLORS = `[...document.querySelectorAll("p, a")].map((element) => {
  const backOf = (of) => getComputedStyle(of).backgroundColor;
  let behind = element;
  while (behind.parentElement !== null && backOf(behind) === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
  return [getComputedStyle(element).color, backOf(behind)];
})`;

/** The contrast of two colors (WCAG 2.2, contrast ratio). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((value) => {
    const part = Number(value) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
