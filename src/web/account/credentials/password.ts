import { html } from "../../../html.ts";
import { findSignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { nameIdentifier } from "../../../sign-in/identifier.ts";
import { changePassword } from "../../../sign-in/password/change-password.ts";
import { signInWithPassword } from "../../../sign-in/password/sign-in-with-password.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { DEVICE_COOKIE } from "../../frame/device-cookie.ts";
import { PASSWORD_FIELD_SCRIPT, passwordField } from "../../frame/field.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import type { SubmitProblem } from "../../frame/render-page.ts";
import { redirect } from "../../frame/responses.ts";
import { checkNewPassword, newPasswordFields, type RefusedPassword } from "../../links/new-password-fields.ts";
import { tooOften } from "../../sign-in/checks.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { formPage, problemOf } from "../form-page.ts";
import { PATHS } from "../paths.ts";
import { requireRecentSignIn } from "../recent-sign-in.ts";

/**
 * `/ui/account/password`: changes the password, and asks for the current one; or sets one for a user who has none, and
 * requires a recent sign-in instead.
 */
export const PASSWORD_CHANGE_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.password]: accountRoute({ isSensitive: false, show, submit }),
};

function show(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): PageResponse {
  const { hasPassword, policy } = visit.account;
  if (hasPassword) return passwordPage(parts, visit, { problem });
  if (!policy.allowUsernamePassword) return redirect(ACCOUNT_PATH);
  return requireRecentSignIn(parts, visit) ?? passwordPage(parts, visit, { problem });
}

async function submit(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  return visit.account.hasPassword ? await change(parts, visit, form) : await set(parts, visit, form);
}

async function change(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, request, caller, session, account } = visit;
  const refuse = (problem: SubmitProblem) => passwordPage(parts, visit, { problem: { ...problem, field: "current" } });
  const password = form.get("password") ?? "";
  const refused = checkNewPassword(parts.config, account, password, form.get("repeat") ?? "");
  if (refused !== undefined) return passwordPage(parts, visit, { refused });
  // The same limits as for a sign-in, so that an open session does not make it easier to guess the password.
  const attempt = {
    orgId: account.orgId,
    identifier: nameIdentifier(account.userName),
    password: form.get("current") ?? "",
    address: request.address,
    deviceCookie: DEVICE_COOKIE.read(parts, visit),
  };
  const outcome = await signInWithPassword(parts, attempt, caller);
  switch (outcome.kind) {
    case "failed":
      return refuse({ text: language.texts.accountForms.password.wrong });
    case "too-often":
      return refuse(tooOften(outcome.retrySeconds, language));
    case "proved": {
      const changed = await changePassword(parts, outcome.user, password, { sessionId: session.id }, caller);
      return changed === undefined ? refuse({ text: language.texts.account.stale }) : done(parts, "password-changed");
    }
    default:
      return outcome satisfies never;
  }
}

async function set(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, caller, session, account } = visit;
  const signInFirst = requireRecentSignIn(parts, visit);
  if (signInFirst !== undefined) return signInFirst;
  if (!account.policy.allowUsernamePassword) return redirect(ACCOUNT_PATH);
  const password = form.get("password") ?? "";
  const refused = checkNewPassword(parts.config, account, password, form.get("repeat") ?? "");
  if (refused !== undefined) return passwordPage(parts, visit, { refused });
  const user = await findSignInUser(parts, account.id, caller);
  // Otherwise, the user has set one in another tab.
  const changed =
    user?.passwordHash === null
      ? await changePassword(parts, user, password, { sessionId: session.id }, caller)
      : undefined;
  if (changed === undefined) return passwordPage(parts, visit, { problem: { text: language.texts.account.stale } });
  return done(parts, "password-set");
}

interface Refusal {
  /** About the current password, or the whole form. */
  readonly problem?: FormProblem | undefined;
  /** About the new password, whose field describes it. */
  readonly refused?: RefusedPassword;
}

/** The form for a new password, and the current one if there is one. */
function passwordPage(parts: AccountParts, visit: AccountVisit, { problem, refused }: Refusal): PageResponse {
  const { language, account } = visit;
  const { password, newPassword } = language.texts.accountForms;
  const current = passwordField(language, {
    name: "current",
    label: password.current,
    error: problemOf(problem, "current"),
    attributes: html`autocomplete="current-password" required`,
  });
  return formPage(parts, visit, {
    action: PATHS.password,
    texts: account.hasPassword ? password : newPassword,
    fields: newPasswordFields(account, language, {
      isRequired: true,
      refused,
      ...(account.hasPassword && { current }),
    }),
    scripts: [PASSWORD_FIELD_SCRIPT],
    problem: problem ?? (refused && { text: "", field: "password" }),
  });
}
