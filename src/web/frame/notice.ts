import { type Html, html } from "../../html.ts";
import type { AccountNotice } from "../../texts/en/account.ts";
import { TEXTS } from "../../texts/languages.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { ACCOUNT_PATH } from "./account-app.ts";
import { type CookieParts, createCookie } from "./cookies.ts";
import type { PageResponse, Visit } from "./page.ts";
import { redirect } from "./responses.ts";

/**
 * What the account page says has just happened. A cookie, because a link could make a page say anything that a parameter
 * of its URL can. It lasts longer than a redirect takes.
 */
export const NOTICE_COOKIE = createCookie("signet-account-notice", 60);

/** The response to an action: a redirect to the account page, which says what the action has done. */
export function done(parts: CookieParts, notice: AccountNotice, cookies: readonly string[] = []): PageResponse {
  return redirect(ACCOUNT_PATH, [NOTICE_COOKIE.header(parts, notice), ...cookies]);
}

/** The notice that the previous response has set. */
export function readNotice(parts: CookieParts, visit: Visit): AccountNotice | undefined {
  const value = NOTICE_COOKIE.read(parts, visit);
  return Object.hasOwn(TEXTS.en.account.notices, value) ? (value as AccountNotice) : undefined;
}

export function noticeParagraph(language: PageLanguage, notice: AccountNotice): Html {
  return html`<p class="notice good" role="status">${language.texts.account.notices[notice]}</p>`;
}

export function problemParagraph(problem: string): Html {
  return html`<p class="notice bad" role="alert">${problem}</p>`;
}
