import { findViolations } from "../support/browsers/axe.ts";
import { ORIGIN, picture, type Scene } from "./console-scene.ts";

/** The sizes and colors in which every page is looked at. */
export const SCREENS = [
  ["wide", "light", 1280],
  ["wide", "dark", 1280],
  ["narrow", "light", 360],
  ["narrow", "dark", 360],
] as const;

export type Screen = (typeof SCREENS)[number];

/** A page of the console: the name of its picture, its address, and what appears last. */
export type SeenPage = readonly [name: string, path: string, awaited: string];

/** Opens pages as somebody with a role. Returns what is wrong with them. */
export async function lookAt(
  scene: Scene,
  [size, colorScheme, width]: Screen,
  role: "ORG_OWNER" | "INSTANCE_OWNER",
  pages: readonly SeenPage[],
): Promise<string[]> {
  const viewport = { width, height: 800 };
  const { page, problems, elsewhere, close } = await scene.signIn({ role, path: "/orgs", colorScheme, viewport });
  const found: string[] = [];
  for (const [name, path, awaited] of pages) {
    await page.goto(`${ORIGIN}/console${path}`);
    await page.waitForSelector(awaited);
    found.push(...(await findViolations(page)).map((violation) => `${name}: ${violation}`));
    const shown = await page.evaluate("document.documentElement.scrollWidth");
    if (shown !== width) found.push(`${name}: ${shown} pixels wide`);
    await picture(page, `console-${name}-${size}-${colorScheme}`);
  }
  await close();
  return [...found, ...problems, ...elsewhere];
}
