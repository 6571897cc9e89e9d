import { type Scheme, toAccents } from "../../branding/accent.ts";
import type { Label } from "../../branding/label-settings.ts";
import { openPreview, PREVIEW_PATH } from "../../branding/preview-label-policy.ts";
import { listOfferedIdps } from "../../idps/find-sign-in-idp.ts";
import { findLoginPolicy } from "../../policies/get-login-policy.ts";
import type { LoginPolicy } from "../../policies/login-policy.ts";
import { LANGUAGES } from "../../texts/languages.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { toSignInForm } from "../sign-in/first-page/first-page.ts";
import { signInPage } from "../sign-in/first-page/sign-in-page.ts";
import type { Interaction } from "../sign-in/interactions.ts";
import { isNameOnTop } from "../sign-in/sign-in.ts";
import type { SignInParts, SignInVisit } from "../sign-in/sign-in-parts.ts";

/**
 * `/ui/preview`: the sign-in page of an organization, in a branding that may not be active yet (docs/branding.md). Nothing
 * from the URL is shown. Its parameters: `link` names the organization; `branding=active` chooses the branding that users
 * see; `language` and `scheme` (`light` or `dark`) are by default those of the browser.
 */
export const PREVIEW_ROUTES: PageRoutes<SignInParts> = {
  [PREVIEW_PATH]: { get: async (parts, visit) => toFramed(await open(parts, visit)) },
};

/** Nothing on the page can be used, and it has no script: it only shows what a sign-in would look like. */
async function open(parts: SignInParts, visit: Visit): Promise<PageResponse> {
  const { caller, request } = visit;
  const { query } = request;
  const state = query.get("branding") === "active" ? "active" : "draft";
  const preview = await openPreview(parts, query.get("link") ?? "", state, caller);
  if (preview === undefined) return problemPage("not-found", visit);
  const { ownerId, label, languageOf } = preview;
  const org = { id: ownerId, shownName: preview.shownName ?? undefined };
  const policy = await findLoginPolicy(parts, ownerId, caller);
  // Not those that are remembered, so that a change is seen at once.
  const idps = policy.allowExternalIdp ? await listOfferedIdps(parts, ownerId, caller) : [];
  const requested = LANGUAGES.find((tag) => tag === query.get("language"));
  const signInVisit: SignInVisit = {
    ...visit,
    language: languageOf(requested ?? visit.language.tag),
    signIn: toExample(org, policy),
    shownOrgName: isNameOnTop(label, org) ? undefined : org.shownName,
  };
  const choice = { idps, search: undefined };
  const form = toSignInForm(parts, signInVisit, { userName: "", choice });
  const { body, ...page } = signInPage(signInVisit, { ...form, isPreview: true });
  const scheme = SCHEMES.find((name) => name === query.get("scheme"));
  return { ...page, body: body({ label: scheme ? inScheme(label, scheme) : label, languageOf }, { scheme }) };
}

const SCHEMES: readonly Scheme[] = ["light", "dark"];

/** A branding that is the same in light and dark. */
function inScheme(label: Label, scheme: Scheme): Label {
  const color = toAccents(label)?.[scheme].accent ?? "";
  const logo = (scheme === "dark" && label.logoDark) || label.logo || label.logoDark;
  return { ...label, primaryColor: color, primaryColorDark: color, logo, logoDark: null };
}

/**
 * The console shows the page in a frame. The sandbox also applies to the page in a window of its own: no form, no script,
 * and no way out. Images and stylesheets would not be loaded without `allow-same-origin`.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  // A page without an icon has an empty one.
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-same-origin",
].join("; ");

function toFramed(page: PageResponse): PageResponse {
  return { ...page, headers: { ...page.headers, "content-security-policy": POLICY } };
}

/** A sign-in that does not exist. */
function toExample(org: Interaction["org"], policy: LoginPolicy): Interaction {
  return {
    id: "preview",
    app: { id: "preview", name: "Example" },
    org,
    loginHint: undefined,
    idpHint: undefined,
    language: undefined,
    expectedUserId: undefined,
    freshness: { mustAuthenticate: false, maxAge: undefined, guardsCredentials: false },
    requiresTwoFactors: false,
    weakSignIn: undefined,
    provedUserId: undefined,
    session: undefined,
    policy,
    keptPage: undefined,
    returnTo: "/",
  };
}
