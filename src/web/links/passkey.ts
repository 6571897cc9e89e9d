import { z } from "zod";
import { beginPasskey } from "../../passkeys/begin-passkey.ts";
import { registerPasskey } from "../../passkeys/register-passkey.ts";
import { jsonResponse } from "../frame/json-response.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { explainUnusable, LINK_GONE, passkeyPage, unusablePasskeyLinkPage } from "./passkey-page.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import type { RoutesContext } from "./routes-context.ts";
import { PASSKEY_TEXTS, REGISTRATION_PROBLEMS } from "./texts/passkey-texts.ts";

const code = z.string();
const base64url = z.string().regex(/^[\w-]*$/);

/** The requests of the page's script. `response` is a `RegistrationResponseJSON` (WebAuthn). */
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
      // Unknown transports must be stored too (WebAuthn, section 5.2.1).
      transports: z
        .array(z.string().regex(/^[a-z0-9-]{1,32}$/))
        .max(16)
        .default([]),
    }),
  }),
});

/**
 * `/ui/passkey`: the link to register a passkey. The script of the page requests options, lets the browser create the
 * passkey, and posts the result. Both requests and their responses are JSON (docs/pages.md).
 */
export function createPasskeyRoutes({ config, db, clock, openLink }: RoutesContext): PageRoutes {
  const relyingParty = { id: config.webauthnRpId, origin: new URL(config.publicUrl).origin };

  return {
    ...PASSKEY_SCRIPT.routes,
    "/ui/passkey": {
      async get(visit) {
        const link = await openLink(visit, "passkey", visit.request.query.get("code"));
        if (!link.ok) return link.problem;
        const { state } = link.code;
        const { language } = link.visit;
        return state === "valid" ? passkeyPage(link.code, language) : unusablePasskeyLinkPage(state, language);
      },
    },
    "/ui/passkey/options": {
      async postJson(visit, json) {
        const { data } = OPTIONS_REQUEST.safeParse(json);
        if (data === undefined) return problemPage("unreadable", visit);
        const link = await openLink(visit, "passkey", data.code);
        if (!link.ok) return link.problem;
        const options = await beginPasskey({ db, rpId: relyingParty.id, clock, caller: visit.caller }, link.code);
        return options === undefined ? unusableLink(link.visit, data.code) : jsonResponse(200, options);
      },
    },
    "/ui/passkey/registration": {
      async postJson(visit, json) {
        const { data } = REGISTRATION_REQUEST.safeParse(json);
        if (data === undefined) return problemPage("unreadable", visit);
        const link = await openLink(visit, "passkey", data.code);
        if (!link.ok) return link.problem;
        const outcome = await registerPasskey({ db, relyingParty, clock, caller: visit.caller }, link.code, {
          ...data.response,
          clientExtensionResults: {},
        });
        switch (outcome) {
          case "registered":
            return jsonResponse(200, { passkeyId: data.response.id });
          case "link-over":
            return unusableLink(link.visit, data.code);
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

  /** Looks up the code again, because it may have been used in the meantime. */
  async function unusableLink(visit: Visit, text: string): Promise<PageResponse> {
    const link = await openLink(visit, "passkey", text);
    if (!link.ok) return link.problem;
    const message = explainUnusable(link.code.state, visit.language);
    return jsonResponse(LINK_GONE, { code: link.code.state, message: `${message.title}. ${message.text}` });
  }
}
