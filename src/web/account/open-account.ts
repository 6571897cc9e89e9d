import { readAccount } from "../../sign-in/read-account.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";

/** The account of a signed-in user, or the redirect to a sign-in. */
export type OpenedAccount =
  | { readonly ok: true; readonly visit: AccountVisit }
  | { readonly ok: false; readonly page: PageResponse };

/** Finds the session of a visit and its user. */
export async function openAccount({ db, sessions }: AccountParts, visit: Visit): Promise<OpenedAccount> {
  const { request, caller } = visit;
  const session = await sessions.find(request.headers.cookie);
  const account = session && (await readAccount({ db }, session.userId, caller));
  if (session !== undefined && account !== undefined) return { ok: true, visit: { ...visit, session, account } };
  const orgId = request.query.get("org");
  return { ok: false, page: redirect(sessions.signInUrl(orgId === null ? {} : { orgId })) };
}
