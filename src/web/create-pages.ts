import Negotiator from "negotiator";
import { createRunTogether } from "../database/run-together.ts";
import { createSerializePerKey } from "../database/serialize-per-key.ts";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "../messages/languages.ts";
import { createAttemptLimit } from "../sign-in/attempt-limit.ts";
import { createIdpClients } from "../sign-in/idp-clients.ts";
import { createKnownDevices } from "../sign-in/known-devices.ts";
import { createPasskeyChallenges } from "../sign-in/passkey-challenges.ts";
import { ACCOUNT_ROUTES } from "./account/account.ts";
import type { AccountParts } from "./account/account-parts.ts";
import { createAddressLimit } from "./frame/address-limit.ts";
import { createFormTokens } from "./frame/form-token.ts";
import type { PageRequest, PageRoute, PageRoutes, ServePage, Visit } from "./frame/page.ts";
import { STYLESHEET } from "./frame/stylesheet.ts";
import { throwIfAborted } from "./frame/until-aborted.ts";
import { EMAIL_ROUTES } from "./links/email.ts";
import { INIT_ROUTES } from "./links/init.ts";
import { PASSKEY_ROUTES } from "./links/passkey.ts";
import { PASSWORD_ROUTES } from "./links/password.ts";
import { PHONE_ROUTES } from "./links/phone.ts";
import { serveRoute } from "./serve-route.ts";
import { findCallbackRoute } from "./sign-in/idp-callback.ts";
import { createIdpOffers } from "./sign-in/idp-offers.ts";
import { PASSKEY_SIGN_IN_SCRIPT } from "./sign-in/passkey-part.ts";
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
  | "clock"
  | "announceEnds"
  | "signInRequests"
  | "sessions"
  | "metrics"
  | "log"
>;

/** The pages with a fixed path. */
const ROUTES: PageRoutes<AccountParts> = {
  ...STYLESHEET.routes,
  ...INIT_ROUTES,
  ...EMAIL_ROUTES,
  ...PHONE_ROUTES,
  ...PASSKEY_ROUTES,
  ...PASSWORD_ROUTES,
  ...PASSKEY_SIGN_IN_SCRIPT.routes,
  ...ACCOUNT_ROUTES,
};

/** Serves the pages where users sign in, or complete what an operation started. */
export function createPages(shared: SharedParts): ServePage {
  const { db, keyring, metrics } = shared;
  const parts: AccountParts = {
    ...shared,
    runTogether: createRunTogether(db, metrics),
    limit: createAddressLimit(shared),
    attemptLimit: createAttemptLimit(shared),
    knownDevices: createKnownDevices(keyring),
    serializeHashing: createSerializePerKey(),
    passkeyChallenges: createPasskeyChallenges(shared),
    formTokens: createFormTokens(keyring),
    idpClients: createIdpClients(shared),
    idpOffers: createIdpOffers(shared),
  };
  return async (request) => {
    const { path } = request;
    const found = findRoute(path);
    const response = await serveRoute(found?.route, parts, toVisit(request));
    const loggedPath = path.startsWith(SIGN_IN_PREFIX) && { loggedPath: `${SIGN_IN_PREFIX}…` };
    return { ...response, ...(found ? { route: found.template } : { isUnknownPath: true }), ...loggedPath };
  };
}

/** Finds the page at a path. The template is the path with placeholders for ids. */
function findRoute(path: string): { readonly template: string; readonly route: PageRoute<AccountParts> } | undefined {
  const page = ROUTES[path];
  if (page !== undefined) return { template: path, route: page };
  const step = findSignInRoute(path);
  if (step !== undefined) return { template: path.replace(/^(\/ui\/sign-in)\/[^/]+/, "$1/:id"), route: step };
  const callback = findCallbackRoute(path);
  return callback && { template: "/ui/idps/:id/callback", route: callback };
}

function toVisit(request: PageRequest): Visit {
  const { signal, span } = request;
  const caller = { signal, throwIfOver: () => throwIfAborted(signal), span };
  return { request, language: acceptedLanguage(request), caller };
}

function acceptedLanguage({ headers }: PageRequest): Language {
  const [accepted] = new Negotiator({ headers }).languages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === accepted) ?? DEFAULT_LANGUAGE;
}
