import type { PageLanguage } from "../../texts/page-language.ts";
import { type PageParts, renderPage } from "../frame/render-page.ts";

/** A page of a sign-in, whose form may lead to the application. */
export function stepPage(
  language: PageLanguage,
  page: Omit<PageParts, "language" | "leadsAway">,
): ReturnType<typeof renderPage> {
  return renderPage({ ...page, language, leadsAway: true });
}
