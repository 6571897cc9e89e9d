import { mayUseConsole } from "../../access/may-use-console.ts";
import { CONSOLE_PATHS } from "../../apps/console-app.ts";
import { NOTICE_COOKIE } from "../frame/notice.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { LINK_PROOF, returnTo } from "../frame/page-cookies.ts";
import { redirect, withCookies } from "../frame/responses.ts";
import { nextPath } from "../frame/sign-in-link.ts";
import { type InitDone, type InitializedUser, initDonePage } from "./init-page.ts";
import type { LinkParts } from "./link-parts.ts";

/**
 * What follows once the form of an initialization link is done. A user who has just set a password in this browser is
 * signed in, through the same gates as with the password (`signInByLink`), and continues in the console with a role, and
 * otherwise where the login policy leads. Others see what to do next: users who have not proved the password, browsers
 * without cookies, and a browser in which another user is signed in, because a link must not end that session.
 */
export async function continueAfterInit(
  parts: LinkParts,
  user: InitializedUser,
  visit: Visit,
  done: InitDone,
): Promise<PageResponse> {
  const { orgId, userId } = user;
  if (LINK_PROOF.read(parts, visit, orgId)?.userId !== userId) return initDonePage(user, visit, done);
  const session = await parts.sessions.find(visit.request.headers.cookie);
  const next = (await mayUseConsole(parts.db, { orgId, userId }, visit.caller)) ? CONSOLE_PATHS.home : nextPath(orgId);
  if (session === undefined) {
    const cookies = [returnTo(parts, next), NOTICE_COOKIE.header(parts, "account-ready")];
    return redirect(parts.sessions.signInUrl({ orgId }), cookies);
  }
  const page = session.userId === userId ? redirect(next) : initDonePage(user, visit, done, "other-user");
  return withCookies(page, [LINK_PROOF.forget(parts)]);
}
