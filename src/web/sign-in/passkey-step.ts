import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { toRelyingParty } from "../../passkeys/verify-passkey.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { signInWithPasskey } from "../../sign-in/sign-in-with-passkey.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import type { PageResponse } from "../frame/page.ts";
import { findExpectedUser } from "./expected-user.ts";
import { showFirstPage } from "./first-page.ts";
import { enterGates } from "./gates.ts";
import { reportCheck } from "./report-check.ts";
import type { SignInProblem } from "./sign-in-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { tooOften } from "./too-often.ts";

const base64url = z.string().regex(/^[\w-]*$/);

/** An `AuthenticationResponseJSON` (WebAuthn). */
const RESPONSE = z.object({
  id: base64url.max(1_364),
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});

/** Verifies the response of a passkey, submitted by the page's script, as the only proof of a sign-in. */
export async function submitPasskey(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { language, signIn } = visit;
  const refuse = (problem: PasskeyProblem) => showFirstPage(parts, visit, { ...problem, isAboutPage: true });
  if (!signIn.policy.allowPasswordless) return await refuse(refused(language));
  const expected = await findExpectedUser(parts, visit);
  const outcome = await verifyPasskey(parts, visit, form, expected?.id);
  if (!outcome.ok) return await refuse(outcome.problem);
  const { user, methods } = outcome;
  if (expected !== undefined && expected.id !== user.id) {
    return await refuse({ status: 422, text: language.texts.signIn.errors.otherUser(expected.userName) });
  }
  return await enterGates(parts, visit, user, { methods, remember: form.get("remember") === "yes" });
}

type PasskeyProblem = Pick<SignInProblem, "status" | "text" | "headers">;

type VerifiedPasskey =
  | { readonly ok: true; readonly user: SignInUser; readonly methods: readonly string[] }
  | { readonly ok: false; readonly problem: PasskeyProblem };

/** @param expectedUserId The user whose passkeys were requested from the browser; undefined for any user. */
export async function verifyPasskey(
  parts: SignInParts,
  { request, language, caller, signIn }: SignInVisit,
  form: URLSearchParams,
  expectedUserId: string | undefined,
): Promise<VerifiedPasskey> {
  const { data: response } = RESPONSE.safeParse(parseJson(form.get("response")));
  if (response === undefined) return { ok: false, problem: refused(language) };
  const attempt = {
    orgId: signIn.org.id,
    signInId: signIn.id,
    response: toResponse(response),
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

function refused(language: PageLanguage): PasskeyProblem {
  return { status: 422, text: language.texts.signIn.passkey.refused };
}

/** Some browsers send null for an absent user handle. */
function toResponse({ response, ...passkey }: z.infer<typeof RESPONSE>): AuthenticationResponseJSON {
  const { userHandle, ...signed } = response;
  return { ...passkey, response: { ...signed, ...(userHandle && { userHandle }) }, clientExtensionResults: {} };
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
