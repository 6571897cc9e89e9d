import { type Html, html } from "../../html.ts";
import type { PageLanguage } from "../../texts/page-language.ts";

/** Where a completed page leads that no application has asked for. The route is in links/next.ts. */
export const NEXT_PATH = "/ui/next";

export function nextPath(orgId: string): string {
  return `${NEXT_PATH}?org=${orgId}`;
}

/** Links from a completed page to the sign-in of an organization. */
export function signInLink(language: PageLanguage, orgId: string): Html {
  return html`<p><a class="button" href="${nextPath(orgId)}">${language.texts.frame.signInLink.signIn}</a></p>`;
}
