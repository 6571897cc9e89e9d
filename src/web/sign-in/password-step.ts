import { logFailure } from "../../log-failure.ts";
import { signInWithHook } from "../../sign-in/sign-in-with-hook.ts";
import { readDeviceCookie } from "../frame/device-cookie.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { enteredIdentifier, identifierTexts } from "./entered-identifier.ts";
import { findExpectedUser } from "./expected-user.ts";
import { showFirstPage, toSignInForm } from "./first-page.ts";
import { enterGates } from "./gates.ts";
import { reportCheck } from "./report-check.ts";
import { CANCEL, type SignInProblem, signInPage } from "./sign-in-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { tooOften } from "./too-often.ts";

/** Verifies the user name and password of the first page, or declines the sign-in. */
export async function submitPassword(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { request, language, caller, signIn } = visit;
  if (form.get("do") === CANCEL) return redirect(await parts.interactions.decline(signIn));
  if (!signIn.policy.allowUsernamePassword) return await showFirstPage(parts, visit);
  const userName = form.get("username") ?? "";
  const remember = form.get("remember") === "yes";
  const attempt = {
    orgId: signIn.org.id,
    identifier: enteredIdentifier(visit, userName),
    password: form.get("password") ?? "",
    address: request.address,
    deviceCookie: readDeviceCookie(parts, visit),
  };
  const check = signInWithHook(parts, attempt, caller);
  const outcome = await reportCheck(parts.metrics, "password", check);
  const { errors } = language.texts.signIn;
  const refuse = (problem: SignInProblem) =>
    signInPage(visit, { ...toSignInForm(parts, visit, { userName, remember }), problem });
  switch (outcome.kind) {
    case "failed": {
      const { failed, shared } = identifierTexts(visit);
      return refuse({ status: 422, text: failed, aboutIdentifier: shared });
    }
    case "too-often":
      return refuse(tooOften(outcome.retrySeconds, language));
    case "unavailable":
      logUnavailable(parts, visit, outcome.reason);
      return refuse({ status: 503, text: errors.unavailable, headers: { "retry-after": RETRY_SECONDS } });
    case "proved": {
      const { user } = outcome;
      const expected = await findExpectedUser(parts, visit);
      if (expected !== undefined && expected.id !== user.id) {
        return refuse({ status: 422, text: errors.otherUser(expected.userName) });
      }
      return await enterGates(parts, visit, user, { methods: ["pwd"], remember });
    }
    default:
      return outcome satisfies never;
  }
}

function logUnavailable({ log }: SignInParts, { request: { requestId }, signIn }: SignInVisit, reason: string): void {
  const err = `organization ${signIn.org.id}: ${reason}`;
  logFailure(log, "warn", { requestId, err }, "a password hook has not answered");
}

const RETRY_SECONDS = "60";
