import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createSealedValues } from "../../crypto/sealed-values.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import { type KeptPage, layOutToKeep, SHOWN, showKept } from "../frame/kept-page.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { withQuery } from "./paths.ts";

/** Longer than it takes to read an error and to load the page again. */
const VALID_SECONDS = 5 * 60;
const NAME = "signet-account-page";
/** Browsers store cookies of up to 4,096 bytes, with the name and the attributes. */
const MAX_COOKIE_BYTES = 3_800;

/** Of a KeptPage in JSON, compressed, in base64. It is in a cookie, because nothing else belongs to a session here. */
const SEALED_PAGES = createSealedValues<string>({ table: "account", column: "page", validSeconds: VALID_SECONDS });

/**
 * Redirects to the page that answers a form, so that neither a reload nor the back button sends the form again. A
 * redirect is returned as it is, and so is a page that is too large for a cookie, such as one with hundreds of passkeys.
 */
export async function redirectToPage(
  parts: AccountParts,
  visit: AccountVisit,
  page: PageResponse,
): Promise<PageResponse> {
  const { request, session, account, caller } = visit;
  const kept = await layOutToKeep(page, () => parts.brandings.find(account.orgId, caller));
  if (kept === undefined) return page;
  const compressed = deflateRawSync(JSON.stringify(kept.page)).toString("base64");
  const sealed = SEALED_PAGES.seal(parts, session.id, compressed);
  if (sealed.length > MAX_COOKIE_BYTES) return page;
  const { publicUrl } = parts.config;
  const query = { ...Object.fromEntries(request.query), [SHOWN]: kept.page.shown };
  return redirect(withQuery(request.path, query), [
    ...kept.cookies,
    hostCookie(NAME, sealed, { publicUrl, maxAgeSeconds: VALID_SECONDS }),
  ]);
}

/** The page that the URL shows; undefined if there is none, or another page has replaced it. */
export function findKeptPage(parts: AccountParts, { request, session }: AccountVisit): PageResponse | undefined {
  if (!request.query.has(SHOWN)) return undefined;
  const cookie = readCookie(request.headers.cookie, hostCookieName(NAME, parts.config.publicUrl)) ?? "";
  const compressed = SEALED_PAGES.open(parts, session.id, cookie);
  if (compressed === undefined) return undefined;
  const page: KeptPage = JSON.parse(inflateRawSync(Buffer.from(compressed, "base64")).toString());
  return showKept(page, request.query);
}
