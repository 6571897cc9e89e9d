import { toOwnCall } from "../../../sign-in/own-call.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { withdrawAppAccess } from "../../../users/change/withdraw-app-access.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { showStale, unlessGone } from "../first-page/show-account.ts";
import { formPage } from "../form-page.ts";
import { PATHS, withQuery } from "../paths.ts";

/** Withdraws the access of applications. Like the end of a session, it needs no recent sign-in. */
export const APP_ACCESS_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.withdraw]: accountRoute({ isSensitive: false, show: showWithdraw, submit: withdraw }),
};

async function showWithdraw(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): Promise<PageResponse> {
  const { language, request, session } = visit;
  const { apps } = await parts.sessions.list(session.userId);
  const app = apps.find(({ id }) => id === request.query.get("id"));
  if (app === undefined) return await showStale(parts, visit);
  const { title, ...texts } = language.texts.accountForms.withdraw;
  const action = withQuery(PATHS.withdraw, { id: app.id });
  return formPage(parts, visit, {
    action,
    texts: { title: fillIn(title, { name: app.name }), ...texts },
    isDangerous: true,
    problem,
  });
}

async function withdraw(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  const { request, account, caller } = visit;
  const appId = request.query.get("id") ?? "";
  return await unlessGone(parts, visit, "access-withdrawn", () =>
    withdrawAppAccess(parts, { userId: account.id, appId }, toOwnCall(account, caller)),
  );
}
