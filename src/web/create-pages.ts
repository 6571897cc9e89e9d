import { BUILT_IN_BRANDING } from "../branding/create-brandings.ts";
import { createBrandingImages } from "../branding/create-images.ts";
import { createSerializePerKey } from "../database/serialize-per-key.ts";
import type { SamlThread } from "../idps/saml/saml-thread.ts";
import { createPasswordHooks } from "../password-hook/create-password-hooks.ts";
import { createAttemptLimit } from "../sign-in/attempt-limit.ts";
import { createKnownDevices } from "../sign-in/known-devices.ts";
import { createPasskeyChallenges } from "../sign-in/passkey/passkey-challenges.ts";
import { createIdpClients } from "../sign-in/provider/idp-clients.ts";
import type { ProviderHosts } from "../sign-in/provider/kinds/provider-hosts.ts";
import { builtInLanguage } from "../texts/page-language.ts";
import { ACCOUNT_ROUTES } from "./account/account.ts";
import type { AccountParts } from "./account/account-parts.ts";
import { findBrandFileRoute } from "./branding/brand-files.ts";
import { PREVIEW_ROUTES } from "./branding/preview.ts";
import { acceptedLanguage } from "./frame/accepted-language.ts";
import { createAddressLimit } from "./frame/address-limit.ts";
import { PASSWORD_FIELD_SCRIPT } from "./frame/field.ts";
import { findBranding } from "./frame/find-branding.ts";
import { createFormTokens } from "./frame/form-token.ts";
import { ICON } from "./frame/logo.ts";
import type { PageRequest, PageRoute, PageRoutes, ServePage, Visit } from "./frame/page.ts";
import { layOut } from "./frame/responses.ts";
import { STYLESHEET, STYLESHEETS } from "./frame/stylesheet.ts";
import { throwIfAborted } from "./frame/until-aborted.ts";
import { EMAIL_ROUTES } from "./links/email.ts";
import { FIRST_ADMINISTRATOR_ROUTES } from "./links/first-administrator.ts";
import { INIT_ROUTES } from "./links/init.ts";
import { NEW_EMAIL_ROUTES } from "./links/new-email.ts";
import { NEXT_ROUTES } from "./links/next.ts";
import { PASSKEY_ROUTES } from "./links/passkey.ts";
import { PASSWORD_ROUTES } from "./links/password.ts";
import { PHONE_ROUTES } from "./links/phone.ts";
import { serveRoute } from "./serve-route.ts";
import { PASSKEY_SIGN_IN_SCRIPT } from "./sign-in/first-page/passkey-part.ts";
import { createIdpOffers } from "./sign-in/idp-offers.ts";
import { findCallbackRoute } from "./sign-in/provider/idp-callback.ts";
import { findSignOutRoute } from "./sign-in/provider/idp-sign-out.ts";
import { findSamlRoute } from "./sign-in/provider/saml.ts";
import { SAML_FORM_SCRIPT } from "./sign-in/provider/saml-form.ts";
import { REGISTRATION_ROUTES } from "./sign-in/register/finish-registration.ts";
import { REGISTER_SCRIPT } from "./sign-in/register/register-pages.ts";
import { findSignInRoute } from "./sign-in/sign-in.ts";
import { SIGN_IN_PREFIX } from "./sign-in/steps.ts";

/** The parts that pages share with the rest of the service. */
type SharedParts = Pick<
  AccountParts,
  | "config"
  | "db"
  | "keyring"
  | "passwords"
  | "outbox"
  | "brandings"
  | "clock"
  | "announceEnds"
  | "eraseFiles"
  | "interactions"
  | "runTogether"
  | "sessions"
  | "failedSignIns"
  | "metrics"
  | "log"
> & {
  readonly saml: SamlThread;
  readonly providerHosts?: ProviderHosts | undefined;
};

/** The pages with a fixed path. */
const ROUTES: PageRoutes<AccountParts> = {
  ...STYLESHEET.routes,
  ...STYLESHEETS.light.routes,
  ...STYLESHEETS.dark.routes,
  ...ICON.routes,
  ...INIT_ROUTES,
  ...EMAIL_ROUTES,
  ...NEW_EMAIL_ROUTES,
  ...PHONE_ROUTES,
  ...NEXT_ROUTES,
  ...PASSKEY_ROUTES,
  ...PASSWORD_ROUTES,
  ...FIRST_ADMINISTRATOR_ROUTES,
  ...PASSKEY_SIGN_IN_SCRIPT.routes,
  ...PASSWORD_FIELD_SCRIPT.routes,
  ...REGISTER_SCRIPT.routes,
  ...REGISTRATION_ROUTES,
  ...SAML_FORM_SCRIPT.routes,
  ...ACCOUNT_ROUTES,
  ...PREVIEW_ROUTES,
};

/** The paths of these pages. */
export const PAGE_PATHS: readonly string[] = Object.keys(ROUTES);

/** Serves the pages where users sign in, or complete what an operation started. */
export function createPages(shared: SharedParts): ServePage {
  const { keyring } = shared;
  const parts: AccountParts = {
    ...shared,
    limit: createAddressLimit(shared),
    attemptLimit: createAttemptLimit(shared),
    knownDevices: createKnownDevices(keyring),
    serializeHashing: createSerializePerKey(),
    passkeyChallenges: createPasskeyChallenges(shared),
    formTokens: createFormTokens(keyring),
    passwordHooks: createPasswordHooks(shared),
    idpClients: createIdpClients(shared),
    idpOffers: createIdpOffers(shared),
    brandingImages: createBrandingImages(shared),
  };
  return async (request) => {
    const { path } = request;
    const found = findRoute(path);
    const visit = toVisit(request);
    const response = await serveRoute(found?.route, parts, visit);
    const isPage = typeof response.body === "function";
    const branding = isPage ? await findBranding(parts.brandings, response.orgId, visit.caller) : BUILT_IN_BRANDING;
    const page = layOut(response, branding);
    const loggedPath = path.startsWith(SIGN_IN_PREFIX) && { loggedPath: `${SIGN_IN_PREFIX}…` };
    return { ...page, ...(found ? { route: found.template } : { isUnknownPath: true }), ...loggedPath };
  };
}

/** Finds the page at a path. The template is the path with placeholders for ids. */
function findRoute(path: string): { readonly template: string; readonly route: PageRoute<AccountParts> } | undefined {
  const page = ROUTES[path];
  if (page !== undefined) return { template: path, route: page };
  const file = findBrandFileRoute(path);
  if (file !== undefined) return { template: "/ui/brand/:file", route: file };
  const step = findSignInRoute(path);
  if (step !== undefined) return { template: path.replace(/^(\/ui\/sign-in)\/[^/]+/, "$1/:id"), route: step };
  const ofIdp = findCallbackRoute(path) ?? findSignOutRoute(path) ?? findSamlRoute(path);
  return ofIdp && { template: path.replace(/^(\/ui\/idps)\/[^/]+/, "$1/:id"), route: ofIdp };
}

function toVisit(request: PageRequest): Visit {
  const { signal, span, headers } = request;
  const caller = { signal, throwIfOver: () => throwIfAborted(signal), span, userAgent: headers["user-agent"] };
  return { request, language: builtInLanguage(acceptedLanguage(headers)), caller };
}
