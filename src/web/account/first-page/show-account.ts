import { openOneTimeCode } from "../../../sign-in/code/one-time-code.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { NOTICE_COOKIE, readNotice } from "../../frame/notice.ts";
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
