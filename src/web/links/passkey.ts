import { z } from "zod";
import { beginPasskey } from "../../passkeys/begin-passkey.ts";
import { CREATED, toRelyingParty } from "../../passkeys/ceremony.ts";
import { registerPasskey } from "../../passkeys/register-passkey.ts";
import { jsonResponse } from "../frame/json-response.ts";
import { inOrg } from "../frame/lay-out.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { STEP_COOKIE } from "../frame/page-cookies.ts";
import { problemPage } from "../frame/problem-page.ts";
import { findServiceName } from "../frame/service-name.ts";
import type { LinkParts } from "./link-parts.ts";
import { openLink } from "./open-link.ts";
import { PASSKEY_SCRIPT } from "./passkey-ceremony.ts";
import { explainUnusable, LINK_GONE, passkeyPage, unusablePasskeyLinkPage } from "./passkey-page.ts";

const code = z.string();

/** The requests of the page's script. */
const OPTIONS_REQUEST = z.object({ code });
const REGISTRATION_REQUEST = z.object({ code, response: CREATED });

const REGISTRATION_STATUS = { "not-begun": 409, taken: 409, refused: 422 };

/**
 * `/ui/passkey`: the link to register a passkey. The script of the page requests options, lets the browser create the
 * passkey, and posts the result. Both requests and their responses are JSON (docs/pages.md).
 */
export const PASSKEY_ROUTES: PageRoutes<LinkParts> = {
  ...PASSKEY_SCRIPT.routes,
  "/ui/passkey": { get: open },
  "/ui/passkey/options": { postJson: createOptions },
  "/ui/passkey/registration": { postJson: register },
};

async function open(parts: LinkParts, visit: Visit): Promise<PageResponse> {
  const link = await openLink(parts, visit, "passkey", visit.request.query.get("code"));
  if (!link.ok) return link.problem;
  const { code } = link;
  const { language } = link.visit;
  const page = code.state === "valid" ? passkeyPage(code, language) : unusablePasskeyLinkPage(code, language);
  return inOrg(code.orgId, page);
}

async function createOptions(parts: LinkParts, visit: Visit, json: unknown): Promise<PageResponse> {
  const { data } = OPTIONS_REQUEST.safeParse(json);
  if (data === undefined) return problemPage("unreadable", visit);
  const link = await openLink(parts, visit, "passkey", data.code);
  if (!link.ok) return link.problem;
  const rpId = parts.config.webauthnRpId;
  const rpName = await findServiceName(parts, link.code.orgId, visit.caller);
  const options = await beginPasskey({ ...parts, rpId, rpName }, link.code, visit.caller);
  return options === undefined ? await unusableLink(parts, link.visit, data.code) : jsonResponse(200, options);
}

async function register(parts: LinkParts, visit: Visit, json: unknown): Promise<PageResponse> {
  const { data } = REGISTRATION_REQUEST.safeParse(json);
  if (data === undefined) return problemPage("unreadable", visit);
  const link = await openLink(parts, visit, "passkey", data.code);
  if (!link.ok) return link.problem;
  const relyingParty = toRelyingParty(parts.config);
  const outcome = await registerPasskey({ ...parts, relyingParty }, link.code, data.response, visit.caller);
  switch (outcome) {
    case "registered":
      return jsonResponse(
        200,
        { passkeyId: data.response.id },
        { "set-cookie": STEP_COOKIE.header(parts, link.code.orgId) },
      );
    case "link-over":
      return await unusableLink(parts, link.visit, data.code);
    case "not-begun":
    case "refused":
    case "taken": {
      const message = link.visit.language.texts.links.passkey[outcome];
      return jsonResponse(REGISTRATION_STATUS[outcome], { code: outcome, message });
    }
    default:
      return outcome satisfies never;
  }
}

/** Looks the code up again, because it may have been used since it was found. */
async function unusableLink(parts: LinkParts, visit: Visit, text: string): Promise<PageResponse> {
  const link = await openLink(parts, visit, "passkey", text);
  if (!link.ok) return link.problem;
  const message = explainUnusable(link.code.state, visit.language);
  return jsonResponse(LINK_GONE, { code: link.code.state, message: `${message.title}. ${message.text}` });
}
