import { type Html, html } from "../../html.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { ACCOUNT_PATH } from "./account-app.ts";

/** Where a completed page leads that no application has asked for. The route is in links/next.ts. */
export const NEXT_PATH = "/ui/next";

export function nextPath(orgId: string): string {
  return `${NEXT_PATH}?org=${orgId}`;
}

/**
 * Links from a completed page to the sign-in.
 *
 * @param orgId The organization of the sign-in; undefined if there is none, or the reader must not learn it.
 * @param origin The path of a sign-in that the page has interrupted.
 */
export function signInLink(language: PageLanguage, orgId: string | undefined, origin?: string): Html {
  const path = origin ?? (orgId === undefined ? ACCOUNT_PATH : nextPath(orgId));
  return html`<p><a class="button" href="${path}">${language.texts.frame.signInLink.signIn}</a></p>`;
}
