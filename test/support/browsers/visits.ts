import type { BrowserContextOptions, Page } from "playwright-core";
import { findViolations } from "./axe.ts";
import { PICTURE_FORMS, PICTURES, takePicture } from "./pictures.ts";

/** Says that a page with this name is open, and has this title of the window, without the name of the service. */
export type Visit = (page: Page, name: string, title: string) => Promise<void>;

/**
 * Adds the tests of pages at both widths, in light and dark: each has its title, axe finds nothing, and it fits the
 * screen; and, if PICTURES is set, pictures are taken.
 *
 * @param visitPages Opens each page in turn.
 */
export function testPages(visitPages: (options: BrowserContextOptions, visit: Visit) => Promise<void>): void {
  test.each(PICTURE_FORMS)("all pages have a title, are accessible and fit: %s", async (_form, options) => {
    await visitPages(options, async (page, name, title) => {
      await page.waitForLoadState();
      expect([name, await page.title()]).toEqual([name, `${title} · Signet`]);
      expect([name, await findViolations(page)]).toEqual([name, []]);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect([name, width]).toEqual([name, options.viewport?.width]);
    });
  });

  if (PICTURES !== undefined)
    test.each(PICTURE_FORMS)("pictures of the pages are taken: %s", async (form, options) => {
      await visitPages(options, async (page, name) => {
        await page.waitForLoadState();
        await takePicture(page, name, form);
      });
    });
}
