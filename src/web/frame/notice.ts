import type { Config } from "../../config.ts";
import { type Html, html } from "../../html.ts";
import type { AccountNotice } from "../../texts/en/account.ts";
import { TEXTS } from "../../texts/languages.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { ACCOUNT_PATH } from "./account-app.ts";
import { hostCookie, hostCookieName, readCookie } from "./cookies.ts";
import type { PageResponse, Visit } from "./page.ts";
import { redirect } from "./redirect.ts";

interface NoticeParts {
  readonly config: Pick<Config, "publicUrl">;
}

/** A cookie, because a link could make a page say anything that a parameter of its URL can. */
const NAME = "signet-account-notice";
/** Longer than a redirect takes. */
const MAX_AGE_SECONDS = 60;

/** The response to an action: a redirect to the account page, which says what the action has done. */
export function done(parts: NoticeParts, notice: AccountNotice, cookies: readonly string[] = []): PageResponse {
  return redirect(ACCOUNT_PATH, [noticeHeader(parts, notice), ...cookies]);
}

/** The header `set-cookie` that makes the account page say what has just happened. */
export function noticeHeader({ config: { publicUrl } }: NoticeParts, notice: AccountNotice): string {
  return hostCookie(NAME, notice, { publicUrl, maxAgeSeconds: MAX_AGE_SECONDS });
}

/** The notice that the previous response has set. */
export function readNotice({ config }: NoticeParts, { request }: Visit): AccountNotice | undefined {
  const value = readCookie(request.headers.cookie, hostCookieName(NAME, config.publicUrl)) ?? "";
  return Object.hasOwn(TEXTS.en.account.notices, value) ? (value as AccountNotice) : undefined;
}

/** The header `set-cookie` that forgets the notice once it was shown. */
export function forgetNotice({ config: { publicUrl } }: NoticeParts): string {
  return hostCookie(NAME, "", { publicUrl, maxAgeSeconds: 0 });
}

export function noticeParagraph(language: PageLanguage, notice: AccountNotice): Html {
  return html`<p class="notice good" role="status">${language.texts.account.notices[notice]}</p>`;
}

export function problemParagraph(problem: string): Html {
  return html`<p class="notice bad" role="alert">${problem}</p>`;
}
