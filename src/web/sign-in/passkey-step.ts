import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { networkOf } from "../../http/network-of.ts";
import { toRelyingParty } from "../../passkeys/verify-passkey.ts";
import { signInWithPasskey } from "../../sign-in/sign-in-with-passkey.ts";
import type { PageResponse } from "../frame/page.ts";
import { findExpectedUser } from "./expected-user.ts";
import { showFirstPage } from "./first-page.ts";
import { enterGates } from "./gates.ts";
import { reportCheck } from "./report-check.ts";
import type { SignInProblem } from "./sign-in-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { PASSKEY_SIGN_IN_TEXTS } from "./texts/passkey-sign-in-texts.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";
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

/** Verifies the response of a passkey, submitted by the page's script. */
export async function submitPasskey(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { request, language, caller, signIn } = visit;
  const refuse = (problem: Pick<SignInProblem, "status" | "text" | "headers">) =>
    showFirstPage(parts, visit, { ...problem, isAboutPage: true });
  const refused = { status: 422, text: PASSKEY_SIGN_IN_TEXTS[language].refused };
  const { data: response } = RESPONSE.safeParse(parseJson(form.get("response")));
  if (response === undefined) return await refuse(refused);
  const expected = await findExpectedUser(parts, visit);
  const attempt = {
    orgId: signIn.org.id,
    signInId: signIn.id,
    response: toResponse(response),
    network: networkOf(request.address),
    expectedUserId: expected?.id,
  };
  const check = signInWithPasskey({ ...parts, relyingParty: toRelyingParty(parts.config) }, attempt, caller);
  const outcome = await reportCheck(parts.metrics, "passkey", check);
  switch (outcome.kind) {
    case "failed":
      return await refuse(refused);
    case "too-often":
      return await refuse(tooOften(outcome.retrySeconds, language));
    case "proved": {
      const { user, methods } = outcome;
      if (expected !== undefined && expected.id !== user.id) {
        return await refuse({ status: 422, text: SIGN_IN_TEXTS[language].errors.otherUser(expected.userName) });
      }
      return await enterGates(parts, visit, user, { methods, remember: form.get("remember") === "yes" });
    }
    default:
      return outcome satisfies never;
  }
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
