import { z } from "zod";
import type { CodeState, FoundCode } from "../../codes/find-code.ts";
import { html } from "../../html.ts";
import { beginPasskey } from "../../passkeys/begin-passkey.ts";
import { CREATED, toRelyingParty } from "../../passkeys/ceremony.ts";
import { registerPasskey } from "../../passkeys/register-passkey.ts";
import type { PageLanguage, TitledText } from "../../texts/page-language.ts";
import { detailsList } from "../frame/details-list.ts";
import { findServiceName } from "../frame/find-branding.ts";
import { notePage } from "../frame/note.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { STEP_COOKIE } from "../frame/page-cookies.ts";
import { problemPage } from "../frame/problem-page.ts";
import { ICONS, renderPage } from "../frame/render-page.ts";
import { inOrg, jsonResponse } from "../frame/responses.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import type { LinkParts } from "./link-parts.ts";
import { openLink } from "./open-link.ts";
import { PASSKEY_SCRIPT, passkeyCeremony } from "./passkey-ceremony.ts";

const code = z.string();

const OPTIONS_REQUEST = z.object({ code });
const REGISTRATION_REQUEST = z.object({ code, response: CREATED });

/** The status for a previously valid link. */
const LINK_GONE = 410;

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
  if ("status" in link) return link;
  const { code } = link;
  const { language } = link.visit;
  const page = code.state === "valid" ? passkeyPage(code, language) : unusablePasskeyLinkPage(code, language);
  return inOrg(code.orgId, page);
}

async function createOptions(parts: LinkParts, visit: Visit, json: unknown): Promise<PageResponse> {
  const { data } = OPTIONS_REQUEST.safeParse(json);
  if (data === undefined) return problemPage("unreadable", visit);
  const link = await openLink(parts, visit, "passkey", data.code);
  if ("status" in link) return link;
  const rpId = parts.config.webauthnRpId;
  const rpName = await findServiceName(parts, link.code.orgId, visit.caller);
  const options = await beginPasskey({ ...parts, rpId, rpName }, link.code, visit.caller);
  return options === undefined ? await unusableLink(parts, link.visit, data.code) : jsonResponse(200, options);
}

async function register(parts: LinkParts, visit: Visit, json: unknown): Promise<PageResponse> {
  const { data } = REGISTRATION_REQUEST.safeParse(json);
  if (data === undefined) return problemPage("unreadable", visit);
  const link = await openLink(parts, visit, "passkey", data.code);
  if ("status" in link) return link;
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
  if ("status" in link) return link;
  const message = explainUnusable(link.code.state, visit.language);
  return jsonResponse(LINK_GONE, { code: link.code.state, message: `${message.title}. ${message.text}` });
}

/** The page on which a user creates a passkey. The texts that its script shows are in templates of the page. */
function passkeyPage({ user, orgId }: FoundCode, language: PageLanguage): PageResponse {
  const { title, intro, account, userName, hint, done } = language.texts.links.passkey;
  return renderPage({
    language,
    title,
    scripts: [PASSKEY_SCRIPT],
    content: html`<template id="done"><h1>${ICONS.done}${done.title}</h1><p>${done.text}</p>${user.hasPassword && signInLink(language, orgId)}</template>
<p data-before>${intro}</p>
<div data-before>
${detailsList([
  [account, user.displayName],
  [userName, user.userName],
])}
</div>
${passkeyCeremony(language)}
<p data-before class="small">${hint}</p>`,
  });
}

function unusablePasskeyLinkPage({ state, orgId }: FoundCode, language: PageLanguage): PageResponse {
  const next = signInLink(language, orgId);
  return notePage(language, explainUnusable(state, language), { status: LINK_GONE, icon: "problem", next });
}

function explainUnusable(state: CodeState, language: PageLanguage): TitledText {
  const texts = language.texts.links.passkey;
  switch (state) {
    case "used":
    case "replaced":
      return texts[state];
    // The code of a passkey link is never outdated, and `openLink` rejects codes of blocked users. A code that is still
    // valid here has expired in the meantime.
    case "expired":
    case "outdated":
    case "blocked":
    case "valid":
      return texts.expired;
    default:
      return state satisfies never;
  }
}
