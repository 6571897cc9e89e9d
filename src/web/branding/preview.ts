import { openPreview, PREVIEW_PATH } from "../../branding/preview-label-policy.ts";
import { DEFAULT_LOGIN_POLICY } from "../../policies/login-policy.ts";
import { LANGUAGES } from "../../texts/languages.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { toSignInForm } from "../sign-in/first-page/first-page.ts";
import { signInPage } from "../sign-in/first-page/sign-in-page.ts";
import type { Interaction } from "../sign-in/interactions.ts";
import type { SignInParts, SignInVisit } from "../sign-in/sign-in-parts.ts";

/**
 * `/ui/preview`: the sign-in page in a branding that may not be active yet (docs/branding.md). The parameter `language`
 * chooses the language; by default, it is the browser's.
 */
export const PREVIEW_ROUTES: PageRoutes<SignInParts> = { [PREVIEW_PATH]: { get: open } };

/** Nothing on the page can be used, and it has no script: it only shows what a sign-in would look like. */
async function open(parts: SignInParts, visit: Visit): Promise<PageResponse> {
  const preview = await openPreview(parts, visit.request.query.get("link") ?? "", visit.caller);
  if (preview === undefined) return problemPage("not-found", visit);
  const requested = LANGUAGES.find((tag) => tag === visit.request.query.get("language"));
  const signInVisit: SignInVisit = {
    ...visit,
    language: preview.languageOf(requested ?? visit.language.tag),
    signIn: toExample(preview.ownerId),
    shownOrgName: undefined,
  };
  const { body, ...page } = signInPage(
    signInVisit,
    toSignInForm(parts, signInVisit, { userName: "", choice: { idps: [], search: undefined } }),
  );
  return { ...page, body: typeof body === "function" ? body(preview, { isInert: true }) : body };
}

/** A sign-in that does not exist. */
function toExample(orgId: string): Interaction {
  return {
    id: "preview",
    app: { id: "preview", name: "Example" },
    org: { id: orgId, shownName: undefined },
    loginHint: undefined,
    idpHint: undefined,
    language: undefined,
    expectedUserId: undefined,
    freshness: { mustAuthenticate: false, maxAge: undefined, guardsCredentials: false },
    requiresTwoFactors: false,
    weakSignIn: undefined,
    provedUserId: undefined,
    session: undefined,
    policy: DEFAULT_LOGIN_POLICY,
    keptPage: undefined,
    returnTo: "/",
  };
}
