import { logFailure } from "../../../log-failure.ts";
import { readIdentifier } from "../../../sign-in/identifier.ts";
import { recordPasswordSuccess } from "../../../sign-in/password/record-password-events.ts";
import { signInWithHook } from "../../../sign-in/password/sign-in-with-password.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { acceptedRegion } from "../../frame/accepted-language.ts";
import { DEVICE_COOKIE } from "../../frame/device-cookie.ts";
import { redirect } from "../../frame/responses.ts";
import { reportCheck, tooOften } from "../checks.ts";
import { findExpectedUser, refuseForm, showFirstPage } from "../first-page/first-page.ts";
import type { SignInProblem } from "../first-page/sign-in-page.ts";
import { identifierTexts } from "../identifier-texts.ts";
import type { SignInParts, SignInStep, SignInVisit } from "../sign-in-parts.ts";
import { CANCEL } from "../steps.ts";

/** Verifies the user name and password of the first page, or declines the sign-in. */
export const submitPassword: SignInStep["postForm"] = async (parts, visit, form) => {
  const { request, language, caller, signIn } = visit;
  if (form.get("do") === CANCEL) return redirect(await parts.interactions.decline(signIn));
  if (!signIn.policy.allowUsernamePassword) return await showFirstPage(parts, visit);
  const userName = form.get("username") ?? "";
  const remember = form.get("remember") === "yes";
  const attempt = {
    orgId: signIn.org.id,
    identifier: readIdentifier(userName, signIn.policy, acceptedRegion(request.headers)),
    password: form.get("password") ?? "",
    address: request.address,
    deviceCookie: DEVICE_COOKIE.read(parts, visit),
  };
  const check = signInWithHook(parts, attempt, caller);
  const outcome = await reportCheck(parts.metrics, "password", check);
  const { errors } = language.texts.signIn;
  const refuse = (problem: SignInProblem) => refuseForm(parts, visit, { userName, remember }, problem);
  switch (outcome.kind) {
    case "failed": {
      const { failed, shared } = identifierTexts(visit);
      return await refuse({ text: failed, aboutIdentifier: shared });
    }
    case "too-often":
      return await refuse(tooOften(outcome.retrySeconds, language));
    case "unavailable":
      logUnavailable(parts, visit, outcome.reason);
      return await refuse({ status: 503, text: errors.unavailable, headers: { "retry-after": RETRY_SECONDS } });
    case "proved": {
      const { user, check } = outcome;
      const isOther = signIn.expectedUserId !== undefined && signIn.expectedUserId !== user.id;
      const expected = isOther ? await findExpectedUser(parts, visit) : undefined;
      if (expected !== undefined) {
        if (check !== undefined) await recordPasswordSuccess(parts, user, check);
        return await refuse({ text: fillIn(errors.otherUser, { userName: expected.userName }) });
      }
      return { user, proved: { methods: ["pwd"], remember }, check };
    }
    default:
      return outcome satisfies never;
  }
};

function logUnavailable({ log }: SignInParts, { request: { requestId }, signIn }: SignInVisit, reason: string): void {
  const err = `organization ${signIn.org.id}: ${reason}`;
  logFailure(log, "warn", { requestId, err }, "a password hook has not answered");
}

const RETRY_SECONDS = "60";
