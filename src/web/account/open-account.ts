import { readAccount } from "../../sign-in/read-account.ts";
import { chooseLanguage } from "../../texts/languages.ts";
import { findLanguage } from "../frame/find-language.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { returnHere } from "./recent-sign-in.ts";

/** The account of a signed-in user, or the redirect to a sign-in. */
export type OpenedAccount =
  | { readonly ok: true; readonly visit: AccountVisit }
  | { readonly ok: false; readonly page: PageResponse };

/** Finds the session of a visit and its user. From then on, the language is the user's. */
export async function openAccount(parts: AccountParts, visit: Visit): Promise<OpenedAccount> {
  const { db, clock, sessions, brandings } = parts;
  const { request, caller } = visit;
  const session = await sessions.find(request.headers.cookie);
  const account = session && (await readAccount({ db, now: clock() }, session.userId, caller));
  if (session !== undefined && account !== undefined) {
    const tag = chooseLanguage(account.preferred_language) ?? visit.language.tag;
    const language = await findLanguage(brandings, tag, account.orgId, caller);
    return { ok: true, visit: { ...visit, language, session, account } };
  }
  const orgId = request.query.get("org");
  const url = sessions.signInUrl(orgId === null ? {} : { orgId });
  return { ok: false, page: redirect(url, returnHere(parts, visit)) };
}
