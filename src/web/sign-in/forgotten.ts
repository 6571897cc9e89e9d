import { trimText } from "../../fields/trim-text.ts";
import { requestPasswordReset } from "../../sign-in/request-password-reset.ts";
import type { PageResponse } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { redirect } from "../frame/redirect.ts";
import { resetOriginHeader } from "../frame/reset-origin.ts";
import { withCookies } from "../frame/with-cookies.ts";
import { canResetPassword } from "./can-reset-password.ts";
import { enteredIdentifier } from "./entered-identifier.ts";
import { evenly } from "./even-duration.ts";
import { showFirstPage } from "./first-page.ts";
import { BACK, forgottenPage, OPEN_FORGOTTEN, sentPage } from "./forgotten-pages.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/**
 * Sends a link to set a new password. The response is the same whatever was entered. Each request counts as a failure
 * for the address, because users need few. The buttons that lead here and back keep what was entered.
 */
export async function requestReset(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { request, signIn, caller } = visit;
  const { limit } = parts;
  if (!canResetPassword(signIn)) return redirect(stepPath(signIn, "signIn"));
  const userName = trimText(form.get("username") ?? "");
  const action = form.get("do");
  if (action === BACK) return await showFirstPage(parts, visit, undefined, userName);
  if (action === OPEN_FORGOTTEN || userName === "") return showForgotten(parts, visit, userName);
  const retrySeconds = limit.secondsBlocked(request.address) ?? (await limit.countFailure(request.address, caller));
  if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
  const identifier = enteredIdentifier(visit, userName);
  await evenly(requestPasswordReset(parts, { orgId: signIn.org.id, identifier }, caller));
  const page = sentPage(visit, { token: parts.formTokens.create(signIn.id), userName });
  return withCookies(page, [resetOriginHeader(parts, stepPath(signIn, "signIn"))]);
}

/** The form for the user name, address or number. By default, it contains what the application suggests. */
export function showForgotten(
  { formTokens }: SignInParts,
  visit: SignInVisit,
  userName = visit.signIn.loginHint ?? "",
): PageResponse {
  const { signIn } = visit;
  if (!canResetPassword(signIn)) return redirect(stepPath(signIn, "signIn"));
  return forgottenPage(visit, { token: formTokens.create(visit.signIn.id), userName });
}
