import { createSealedValues } from "../../crypto/sealed-values.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import { createShown, SHOWN } from "../frame/kept-page.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { PATHS, withQuery } from "./paths.ts";

const NAME = "signet-one-time-code";

/** What it takes to draw the page of a rejected first code again. With its QR code, the page is too large for a cookie. */
export interface KeptSetUp {
  /** The value of `SHOWN` in the URL of the page. */
  readonly shown: string;
  /** The secret. It is stored nowhere else until its first code has been entered. */
  readonly base32: string;
  readonly problem: "wrong" | "stale";
}

/** As long as the form of the page. */
const VALID_SECONDS = 15 * 60;

const SEALED_SET_UPS = createSealedValues<KeptSetUp>({
  table: "account",
  column: "one-time-code page",
  validSeconds: VALID_SECONDS,
});

/** Redirects to the page that shows the secret, and says why the form was rejected. */
export function redirectToSetUp(
  parts: AccountParts,
  { session }: AccountVisit,
  rejected: Omit<KeptSetUp, "shown">,
): PageResponse {
  const { publicUrl } = parts.config;
  const shown = createShown();
  const sealed = SEALED_SET_UPS.seal(parts, session.id, { ...rejected, shown });
  return redirect(withQuery(PATHS.oneTimeCode, { [SHOWN]: shown }), [
    hostCookie(NAME, sealed, { publicUrl, maxAgeSeconds: VALID_SECONDS }),
  ]);
}

/** What the URL shows; undefined if there is nothing, or another page has replaced it. */
export function findKeptSetUp(parts: AccountParts, { request, session }: AccountVisit): KeptSetUp | undefined {
  const cookie = readCookie(request.headers.cookie, hostCookieName(NAME, parts.config.publicUrl)) ?? "";
  const kept = SEALED_SET_UPS.open(parts, session.id, cookie);
  return kept?.shown === request.query.get(SHOWN) ? kept : undefined;
}

/** The header `set-cookie` that forgets the secret, once it is stored. */
export function forgetSetUp({ config: { publicUrl } }: AccountParts): string {
  return hostCookie(NAME, "", { publicUrl, maxAgeSeconds: 0 });
}
