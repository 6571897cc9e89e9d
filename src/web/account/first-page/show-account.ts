import { type Reason, SignetError } from "../../../errors.ts";
import { openOneTimeCode } from "../../../sign-in/code/one-time-code.ts";
import type { AccountNotice } from "../../../texts/en/account.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { done, NOTICE_COOKIE, readNotice } from "../../frame/notice.ts";
import type { PageResponse, PageRoute } from "../../frame/page.ts";
import { redirect } from "../../frame/redirect.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { type AccountStep, accountRoute, type FormProblem } from "../account-step.ts";
import { accountPage } from "./account-page.ts";

/** The account page, with the notice of the previous action, or a problem. */
export async function showAccount(
  parts: AccountParts,
  visit: AccountVisit,
  problem?: FormProblem,
): Promise<PageResponse> {
  const { caller, session, account } = visit;
  const [list, idps] = await Promise.all([
    parts.sessions.list(session.userId, session.id),
    account.policy.allowExternalIdp ? parts.idpOffers.find(account.orgId, caller) : [],
  ]);
  const notice = readNotice(parts, visit);
  return accountPage(visit, {
    token: parts.formTokens.create(session.id),
    hasOneTimeCode: openOneTimeCode(parts.keyring, account) !== undefined,
    list,
    idps,
    allowsRemoval: parts.config.accountDeletion,
    notice,
    problem: problem?.text,
    cookies: notice === undefined ? [] : [NOTICE_COOKIE.forget(parts)],
  });
}

/** The route of a button on the account page, which has no page of its own. */
export function buttonRoute(step: Required<Pick<AccountStep, "isSensitive" | "submit">>): PageRoute<AccountParts> {
  return accountRoute({
    ...step,
    show: (parts, visit, problem) =>
      problem === undefined ? redirect(ACCOUNT_PATH) : showAccount(parts, visit, problem),
  });
}

/** The account page for a form that is out of date, for instance because of a change in another tab. */
export function showStale(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  return showAccount(parts, visit, { text: visit.language.texts.account.stale });
}

const GONE: ReadonlySet<Reason> = new Set<Reason>(["APP_NOT_FOUND", "IDP_LINK_NOT_FOUND", "PASSKEY_NOT_FOUND"]);

/** Makes a change. Shows the account page if what it concerns is gone, or is the user's only way to sign in. */
export async function unlessGone(
  parts: AccountParts,
  visit: AccountVisit,
  notice: AccountNotice,
  change: () => Promise<unknown>,
): Promise<PageResponse> {
  try {
    await change();
    return done(parts, notice);
  } catch (error) {
    if (!(error instanceof SignetError)) throw error;
    if (GONE.has(error.reason)) return await showStale(parts, visit);
    if (error.reason !== "ONLY_WAY_IN") throw error;
    return await showAccount(parts, visit, { text: visit.language.texts.account.onlyWay });
  }
}
