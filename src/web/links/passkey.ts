import { z } from "zod";
import { beginPasskey } from "../../passkeys/begin-passkey.ts";
import { registerPasskey } from "../../passkeys/register-passkey.ts";
import { jsonResponse } from "../frame/json-response.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { LINK_OVER, linkOverText, passkeyOverPage, passkeyPage } from "./passkey-page.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import type { RoutesContext } from "./routes-context.ts";
import { PASSKEY_TEXTS, REGISTRATION_PROBLEMS } from "./texts/passkey-texts.ts";

const code = z.string();
const base64url = z.string().regex(/^[\w-]*$/);

/** What the script of the page asks for, and the answer of an authenticator (WebAuthn, `RegistrationResponseJSON`). */
const OPTIONS_REQUEST = z.object({ code });
const REGISTRATION_REQUEST = z.object({
  code,
  response: z.object({
    id: base64url,
    rawId: base64url,
    type: z.literal("public-key"),
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      // Names that nobody knows yet are kept (section 5.2.1).
      transports: z
        .array(z.string().regex(/^[a-z0-9-]{1,32}$/))
        .max(16)
        .default([]),
    }),
  }),
});

/**
 * `/ui/passkey`: the link by which a user registers a passkey. The page's script asks for options, has the browser make
 * the passkey, and sends what came of it; both calls take and give JSON (docs/pages.md).
 */
export function createPasskeyRoutes({ config, db, clock, openLink }: RoutesContext): PageRoutes {
  const relyingParty = { id: config.webauthnRpId, origin: new URL(config.publicUrl).origin };

  return {
    ...PASSKEY_SCRIPT.routes,
    "/ui/passkey": {
      async get(visit) {
        const link = await openLink(visit, "passkey", visit.request.query.get("code"));
        if (!link.ok) return link.problem;
        const { user, state } = link.code;
        const { language } = link.visit;
        return state === "valid" ? passkeyPage(user, language) : passkeyOverPage(state, language);
      },
    },
    "/ui/passkey/options": {
      async postJson(visit, json) {
        const { data } = OPTIONS_REQUEST.safeParse(json);
        if (data === undefined) return problemPage("unreadable", visit);
        const link = await openLink(visit, "passkey", data.code);
        if (!link.ok) return link.problem;
        const options = await beginPasskey({ db, rpId: relyingParty.id, clock }, link.code);
        return options === undefined ? linkOver(link.visit, data.code) : jsonResponse(200, options);
      },
    },
    "/ui/passkey/registration": {
      async postJson(visit, json) {
        const { data } = REGISTRATION_REQUEST.safeParse(json);
        if (data === undefined) return problemPage("unreadable", visit);
        const link = await openLink(visit, "passkey", data.code);
        if (!link.ok) return link.problem;
        const outcome = await registerPasskey({ db, relyingParty, clock }, link.code, {
          ...data.response,
          clientExtensionResults: {},
        });
        switch (outcome) {
          case "registered":
            return jsonResponse(200, { passkeyId: data.response.id });
          case "link-over":
            return linkOver(link.visit, data.code);
          case "not-begun":
          case "refused":
          case "taken": {
            const message = PASSKEY_TEXTS[link.visit.language][outcome];
            return jsonResponse(REGISTRATION_PROBLEMS[outcome], { code: outcome, message });
          }
          default:
            return outcome satisfies never;
        }
      },
    },
  };

  /** Why, as it is by now: the code may have been used since the link was looked up. */
  async function linkOver(visit: Visit, text: string): Promise<PageResponse> {
    const link = await openLink(visit, "passkey", text);
    if (!link.ok) return link.problem;
    const message = linkOverText(link.code.state, visit.language);
    return jsonResponse(LINK_OVER, { code: link.code.state, message: `${message.title}. ${message.text}` });
  }
}
