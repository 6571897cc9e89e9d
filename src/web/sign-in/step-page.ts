import { type Html, html } from "../../html.ts";
import type { PageLanguage, TitledText } from "../../texts/page-language.ts";
import type { PageResponse } from "../frame/page.ts";
import { type PageParts, renderPage } from "../frame/render-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { type StepName, stepPath } from "./steps.ts";

/** A page of a sign-in, whose form may lead to the application. */
export function stepPage(
  language: PageLanguage,
  page: Omit<PageParts, "language" | "leadsAway">,
): ReturnType<typeof renderPage> {
  return renderPage({ ...page, language, leadsAway: true });
}

/** The value of the `do` button that leads back to the first page, which then has what was entered. */
export const BACK = "back";

export function backButton({ texts }: PageLanguage): Html {
  return html`<p class="cancel"><button class="link" name="do" value="${BACK}" formnovalidate>${texts.signIn.reset.back}</button></p>`;
}

/** The page after an email was requested, the same whether or not there is an account. `value`: what was entered. */
export function requestedPage(
  { formTokens }: SignInParts,
  { signIn, language }: SignInVisit,
  { title, text }: TitledText,
  { step, name, value }: { readonly step: StepName; readonly name: string; readonly value: string },
): PageResponse {
  return stepPage(language, {
    title,
    icon: "done",
    content: html`<p>${text}</p>
<form method="post" action="${stepPath(signIn, step)}">
<input type="hidden" name="token" value="${formTokens.create(signIn.id)}">
<input type="hidden" name="${name}" value="${value}">
${backButton(language)}
</form>`,
  });
}
