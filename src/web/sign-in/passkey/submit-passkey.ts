import { readResponse, toRelyingParty, USED } from "../../../passkeys/ceremony.ts";
import type { SignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { signInWithPasskey } from "../../../sign-in/passkey/sign-in-with-passkey.ts";
import type { PageLanguage } from "../../../texts/page-language.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import type { SubmitProblem } from "../../frame/render-page.ts";
import { reportCheck, tooOften } from "../checks.ts";
import { findExpectedUser, showFirstPage } from "../first-page/first-page.ts";
import type { SignInParts, SignInStep, SignInVisit } from "../sign-in-parts.ts";

/** Verifies the response of a passkey, submitted by the page's script, as the only proof of a sign-in. */
export const submitPasskey: SignInStep["postForm"] = async (parts, visit, form) => {
  const { language, signIn } = visit;
  const refuse = (problem: SubmitProblem) => showFirstPage(parts, visit, { ...problem, isAboutPage: true });
  if (!signIn.policy.allowPasswordless) return await refuse(refused(language));
  const expected = await findExpectedUser(parts, visit);
  const outcome = await verifyPasskey(parts, visit, form, expected?.id);
  if (!outcome.ok) return await refuse(outcome.problem);
  const { user, methods } = outcome;
  if (expected !== undefined && expected.id !== user.id) {
    return await refuse({ text: fillIn(language.texts.signIn.errors.otherUser, { userName: expected.userName }) });
  }
  return { user, proved: { methods, remember: form.get("remember") === "yes" } };
};

type VerifiedPasskey =
  | { readonly ok: true; readonly user: SignInUser; readonly methods: readonly string[] }
  | { readonly ok: false; readonly problem: SubmitProblem };

/** @param expectedUserId The user whose passkeys were requested from the browser; undefined for any user. */
export async function verifyPasskey(
  parts: SignInParts,
  { request, language, caller, signIn }: SignInVisit,
  form: URLSearchParams,
  expectedUserId: string | undefined,
): Promise<VerifiedPasskey> {
  const response = readResponse(USED, form.get("response"));
  if (response === undefined) return { ok: false, problem: refused(language) };
  const attempt = {
    orgId: signIn.org.id,
    signInId: signIn.id,
    response,
    address: request.address,
    expectedUserId,
  };
  const check = signInWithPasskey({ ...parts, relyingParty: toRelyingParty(parts.config) }, attempt, caller);
  const outcome = await reportCheck(parts.metrics, "passkey", check);
  switch (outcome.kind) {
    case "failed":
      return { ok: false, problem: refused(language) };
    case "too-often":
      return { ok: false, problem: tooOften(outcome.retrySeconds, language) };
    case "proved":
      return { ok: true, user: outcome.user, methods: outcome.methods };
    default:
      return outcome satisfies never;
  }
}

function refused(language: PageLanguage): SubmitProblem {
  return { text: language.texts.signIn.passkey.refused };
}
