import { randomBytes } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { createSealedValues } from "../../crypto/sealed-values.ts";
import { hostCookie, hostCookieName, readCookie } from "../frame/cookies.ts";
import type { PageHeaders, PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { withQuery } from "./paths.ts";

/** A page that answers a form. */
interface KeptPage {
  readonly status: number;
  readonly headers: PageHeaders;
  readonly body: string;
}

/** In the cookie, because nothing else belongs to a session here. */
interface Kept {
  /** The value of the parameter `shown` in the URL of the page. */
  readonly shown: string;
  /** A KeptPage in JSON, compressed, in base64. */
  readonly page: string;
}

/** Longer than it takes to read an error and to load the page again. */
const VALID_SECONDS = 5 * 60;
const NAME = "signet-account-page";
const PARAMETER = "shown";
/** Browsers store cookies of up to 4,096 bytes, with the name and the attributes. */
const MAX_COOKIE_BYTES = 3_800;

const SEALED_PAGES = createSealedValues<Kept>({ table: "account", column: "page", validSeconds: VALID_SECONDS });

/**
 * Redirects to the page that answers a form, so that neither a reload nor the back button sends the form again. A
 * redirect is returned as it is, and so is a page that is too large for a cookie, such as one with hundreds of passkeys.
 */
export async function redirectToPage(
  parts: AccountParts,
  visit: AccountVisit,
  page: PageResponse,
): Promise<PageResponse> {
  if (page.status === 303 || typeof page.body !== "function") return page;
  const { request, session, account, caller } = visit;
  const { "set-cookie": cookies = [], ...headers } = page.headers;
  const body = page.body(await parts.brandings.find(account.orgId, caller));
  const kept: KeptPage = { status: page.status, headers, body };
  const shown = randomBytes(6).toString("base64url");
  const compressed = deflateRawSync(JSON.stringify(kept)).toString("base64");
  const sealed = SEALED_PAGES.seal(parts, session.id, { shown, page: compressed });
  if (sealed.length > MAX_COOKIE_BYTES) return page;
  const { publicUrl } = parts.config;
  const query = { ...Object.fromEntries(request.query), [PARAMETER]: shown };
  return redirect(withQuery(request.path, query), [
    ...[cookies].flat(),
    hostCookie(NAME, sealed, { publicUrl, maxAgeSeconds: VALID_SECONDS }),
  ]);
}

/** The page that the URL shows; undefined if there is none, or another page has replaced it. */
export function findKeptPage(parts: AccountParts, { request, session }: AccountVisit): PageResponse | undefined {
  const shown = request.query.get(PARAMETER);
  if (shown === null) return undefined;
  const cookie = readCookie(request.headers.cookie, hostCookieName(NAME, parts.config.publicUrl)) ?? "";
  const sealed = SEALED_PAGES.open(parts, session.id, cookie);
  if (sealed?.shown !== shown) return undefined;
  const page: KeptPage = JSON.parse(inflateRawSync(Buffer.from(sealed.page, "base64")).toString());
  return page;
}
