import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { networkOf } from "../../http/network-of.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { signInWithPasskey } from "../../sign-in/sign-in-with-passkey.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import type { Proved } from "./gates.ts";
import { reportCheck } from "./report-check.ts";
import type { SignInContext, SignInStep } from "./sign-in-context.ts";
import type { SignInForm } from "./sign-in-page.ts";
import type { SignInRequest } from "./sign-in-requests.ts";
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

interface PasskeyStepParts {
  readonly findExpected: (visit: Visit, request: SignInRequest) => Promise<SignInUser | undefined>;
  readonly refuse: (
    visit: Visit,
    request: SignInRequest,
    problem: NonNullable<SignInForm["problem"]>,
  ) => Promise<PageResponse>;
  readonly proceed: (visit: Visit, request: SignInRequest, user: SignInUser, proved: Proved) => Promise<PageResponse>;
}

/** `/ui/sign-in/<id>/passkey`: the response of a passkey, submitted by the page's script. */
export function createPasskeyStep(
  context: SignInContext,
  { findExpected, refuse, proceed }: PasskeyStepParts,
): SignInStep {
  const { config } = context;
  const relyingParty = { id: config.webauthnRpId, origin: new URL(config.publicUrl).origin };

  return {
    async postForm(visit, request, form) {
      const { language, caller } = visit;
      const refused = { status: 422, text: PASSKEY_SIGN_IN_TEXTS[language].refused, isAboutPage: true } as const;
      const { data: response } = RESPONSE.safeParse(parseJson(form.get("response")));
      if (response === undefined) return await refuse(visit, request, refused);
      const expected = await findExpected(visit, request);
      const attempt = {
        orgId: request.org.id,
        signInId: request.id,
        response: toResponse(response),
        network: networkOf(visit.request.address),
        expectedUserId: expected?.id,
      };
      const check = signInWithPasskey({ ...context, relyingParty, caller }, attempt);
      const outcome = await reportCheck(context.metrics, "passkey", check);
      const { errors } = SIGN_IN_TEXTS[language];
      switch (outcome.kind) {
        case "failed":
          return await refuse(visit, request, refused);
        case "too-often":
          return await refuse(visit, request, { ...tooOften(outcome.retrySeconds, language), isAboutPage: true });
        case "proved": {
          const { user, methods } = outcome;
          if (expected !== undefined && expected.id !== user.id) {
            const text = errors.otherUser(expected.userName);
            return await refuse(visit, request, { status: 422, text, isAboutPage: true });
          }
          return await proceed(visit, request, user, { methods, remember: form.get("remember") === "yes" });
        }
        default:
          return outcome satisfies never;
      }
    },
  };
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
