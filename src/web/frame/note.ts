import { type Html, html } from "../../html.ts";
import type { PageLanguage, TitledText } from "../../texts/page-language.ts";
import type { PageResponse } from "./page.ts";
import { type PageParts, renderPage } from "./render-page.ts";

interface NoteOptions extends Pick<PageParts, "status" | "icon" | "headers"> {
  /** Where to continue. */
  readonly next?: Html | undefined;
}

/** The parts of a page that says one thing. */
export function note({ title, text }: TitledText, { next, ...parts }: NoteOptions): Omit<PageParts, "language"> {
  return { ...parts, title, content: html`<p>${text}</p>\n${next}` };
}

/** A page that says one thing. */
export function notePage(language: PageLanguage, texts: TitledText, options: NoteOptions = {}): PageResponse {
  return renderPage({ language, ...note(texts, options) });
}
