import { isId } from "../../crypto/secrets.ts";
import { hostOf } from "../../events/host-of.ts";
import { html } from "../../html.ts";
import { findLoginPolicy } from "../../policies/get-login-policy.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import { findLanguage } from "../frame/find-branding.ts";
import { notePage } from "../frame/note.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { STEP_COOKIE } from "../frame/page-cookies.ts";
import { inOrg, redirect } from "../frame/responses.ts";
import { NEXT_PATH } from "../frame/sign-in-link.ts";
import type { LinkParts } from "./link-parts.ts";

/**
 * `/ui/next?org=<id>`: leads to the `defaultRedirectUri` of the organization's login policy, or to the sign-in of the
 * organization, and then to the account page. Anyone can send this link, and the organization chooses the URI, so only
 * a browser that has just completed a step there is redirected to it. Others see its host first.
 */
export const NEXT_ROUTES: PageRoutes<LinkParts> = { [NEXT_PATH]: { get: goOn } };

async function goOn(parts: LinkParts, visit: Visit): Promise<PageResponse> {
  const { request, caller } = visit;
  const orgId = request.query.get("org") ?? "";
  if (!isId(orgId)) return redirect(ACCOUNT_PATH);
  const { defaultRedirectUri: uri } = await findLoginPolicy(parts, orgId, caller);
  if (uri === null) return redirect(`${ACCOUNT_PATH}?org=${orgId}`);
  if (STEP_COOKIE.read(parts, visit) === orgId) return redirect(uri);
  const language = await findLanguage(parts.brandings, visit.language.tag, orgId, caller);
  return inOrg(orgId, leavingPage(uri, { ...visit, language }));
}

function leavingPage(uri: string, { language }: Visit): PageResponse {
  const { title, text, button } = language.texts.links.next;
  const host = hostOf(uri).replace(/:$/, "");
  const next = html`<p><a class="button" href="${uri}">${button}</a></p>`;
  return notePage(language, { title: fillIn(title, { host }), text: fillIn(text, { host }) }, { next });
}
