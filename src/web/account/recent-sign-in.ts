import { CONSOLE_PATHS } from "../../apps/console-app.ts";
import { html } from "../../html.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import { notePage } from "../frame/note.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { RETURN_COOKIE, returnTo } from "../frame/page-cookies.ts";
import { redirect } from "../frame/responses.ts";
import { NEXT_PATH } from "../frame/sign-in-link.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { PATHS } from "./paths.ts";

/**
 * The maximum age of a sign-in that allows users to change their ways to sign in, or to give a device access to the
 * RPCs, in milliseconds.
 */
export const RECENT_MS = 15 * 60_000;

/**
 * Requires that the user has authenticated recently. Users with roles outside of their organization must not have signed
 * in with its provider, because anyone who controls the provider could otherwise get these roles.
 *
 * @returns The page to show instead; undefined if the user may change the ways to sign in.
 */
export function requireRecentSignIn(parts: AccountParts, visit: AccountVisit): PageResponse | undefined {
  const { session, account } = visit;
  const { authenticatedAt, isOfOrgIdp } = session;
  // Asks users who are signed in, too.
  const signInUrl = parts.sessions.signInUrl({ orgId: account.orgId, reauthenticate: true });
  if (isOfOrgIdp && account.hasRolesElsewhere) return notEnoughPage(visit, signInUrl);
  const isRecent = authenticatedAt !== null && parts.clock().getTime() - authenticatedAt.getTime() < RECENT_MS;
  return isRecent ? undefined : redirect(signInUrl, returnHere(parts, visit));
}

/** Longer than any page's. */
const LONGEST = 2_000;
/** The browser would show nothing after the download of a file. */
const { dataFile, ...PAGES } = PATHS;
const RETURNS: ReadonlySet<string> = new Set([...Object.values(PAGES), NEXT_PATH, CONSOLE_PATHS.home]);

/** The header `set-cookie` that makes a sign-in return to the page of this visit, if it is one below `/ui/account`. */
export function returnHere(parts: Pick<AccountParts, "config">, { request }: Visit): string[] {
  const { query } = request;
  const path = request.path === dataFile ? PATHS.data : request.path;
  const next = query.size === 0 ? path : `${path}?${query}`;
  // Otherwise, forgets the page of an earlier sign-in that was not completed.
  const isPage = RETURNS.has(path) && next.length <= LONGEST;
  return [isPage ? returnTo(parts, next) : RETURN_COOKIE.forget(parts)];
}

/** Redirects to the page where the user had to sign in, by default the account page. */
export function returnAfterSignIn(parts: Pick<AccountParts, "config">, visit: Visit): PageResponse {
  return redirect(toPage(RETURN_COOKIE.read(parts, visit)) ?? ACCOUNT_PATH, [RETURN_COOKIE.forget(parts)]);
}

/** The page in a cookie. Checks it, because other hosts of the domain can set cookies over HTTP. */
function toPage(value: string): string | undefined {
  if (value.length > 3 * LONGEST) return undefined;
  try {
    const { pathname, search } = new URL(decodeURIComponent(value), "http://localhost");
    return RETURNS.has(pathname) ? pathname + search : undefined;
  } catch {
    return undefined;
  }
}

function notEnoughPage({ language }: AccountVisit, signInUrl: string): PageResponse {
  const { title, signedOut, back } = language.texts.account;
  const next = html`<p><a class="button" href="${signInUrl}">${signedOut.signIn}</a></p>
<p class="cancel"><a href="${ACCOUNT_PATH}">${back}</a></p>`;
  const text = language.texts.signIn.idp.errors.notEnough;
  return notePage(language, { title, text }, { status: 403, icon: "problem", next });
}
