import { isId } from "../../../crypto/secrets.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { endUserSessions } from "../../../users/change/end-user-sessions.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes, Visit } from "../../frame/page.ts";
import { inOrg, redirect } from "../../frame/responses.ts";
import { findIdpSignOut, signedOutPage } from "../../sign-in/provider/idp-sign-out.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { buttonRoute } from "../first-page/show-account.ts";
import { PATHS, withQuery } from "../paths.ts";

/** The buttons that end sessions. They need no recent sign-in: anyone who distrusts a session must be able to end it. */
export const SESSION_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.signOut]: buttonRoute({ isSensitive: false, submit: signOut }),
  // Without a session, so that the browser can load the page again.
  [PATHS.signedOut]: { get: (_parts, visit) => showSignedOut(visit) },
  [PATHS.session]: buttonRoute({ isSensitive: false, submit: endSession }),
  [PATHS.otherSessions]: buttonRoute({ isSensitive: false, submit: endOthers }),
};

/** Continues at the provider that has confirmed the user of the ended session, if that is wanted. */
async function signOut(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  const { session, account } = visit;
  const { idpId } = session;
  await parts.sessions.end(session.userId, [session.id]);
  const path = idpId === null ? undefined : await findIdpSignOut(parts, { idpId, orgId: account.orgId });
  return redirect(path ?? withQuery(PATHS.signedOut, { org: account.orgId }));
}

function showSignedOut(visit: Visit): PageResponse {
  const orgId = visit.request.query.get("org") ?? "";
  return isId(orgId) ? inOrg(orgId, signedOutPage(visit, orgId)) : signedOutPage(visit);
}

async function endSession(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  await parts.sessions.end(visit.session.userId, [form.get("id") ?? ""]);
  return done(parts, "session-ended");
}

async function endOthers(parts: AccountParts, { session, account, caller }: AccountVisit): Promise<PageResponse> {
  await endUserSessions(parts, { userId: account.id }, toOwnCall(account, caller, session.id));
  return done(parts, "sessions-ended");
}
