import Negotiator from "negotiator";
import type { Logger } from "pino";
import { createRunTogether } from "../database/run-together.ts";
import { createSerializePerKey } from "../database/serialize-per-key.ts";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "../messages/languages.ts";
import { createAttemptLimit } from "../sign-in/attempt-limit.ts";
import { createIdpClients } from "../sign-in/idp-clients.ts";
import { createKnownDevices } from "../sign-in/known-devices.ts";
import { createPasskeyChallenges } from "../sign-in/passkey-challenges.ts";
import { createProofs } from "../sign-in/proof.ts";
import { createAccountRoutes } from "./account/account.ts";
import type { Sessions } from "./account/sessions.ts";
import { createAddressLimit } from "./frame/address-limit.ts";
import { createDeviceCookie } from "./frame/device-cookie.ts";
import { createFormTokens } from "./frame/form-token.ts";
import type { PageRequest, PageRoute, ServePage, Visit } from "./frame/page.ts";
import { STYLESHEET } from "./frame/stylesheet.ts";
import { throwIfAborted } from "./frame/until-aborted.ts";
import { createEmailRoutes } from "./links/email.ts";
import { createInitRoutes } from "./links/init.ts";
import { createOpenLink } from "./links/open-link.ts";
import { createPasskeyRoutes } from "./links/passkey.ts";
import { createPasswordRoutes } from "./links/password.ts";
import { createPhoneRoutes } from "./links/phone.ts";
import type { PagesContext } from "./links/routes-context.ts";
import { serveRoute } from "./serve-route.ts";
import { createIdpCallback } from "./sign-in/idp-callback.ts";
import { PASSKEY_SIGN_IN_SCRIPT } from "./sign-in/passkey-part.ts";
import { createSignInRoutes } from "./sign-in/sign-in.ts";
import { SIGN_IN_PREFIX } from "./sign-in/sign-in-context.ts";
import type { SignInRequests } from "./sign-in/sign-in-requests.ts";

interface SignInParts {
  /** The sign-ins and sessions of the OpenID provider. */
  readonly signInRequests: SignInRequests;
  readonly sessions: Sessions;
  readonly log: Logger;
}

/** Serves the pages where users sign in, or complete what an operation started. */
export function createPages(context: PagesContext & SignInParts): ServePage {
  const { config } = context;
  const limit = createAddressLimit(context);
  const knownDevices = createKnownDevices(context.keyring);
  const shared = {
    ...context,
    deviceCookie: createDeviceCookie(config, knownDevices),
    limit,
    openLink: createOpenLink({ ...context, limit }),
    serializeHashing: createSerializePerKey(),
  };
  const signInContext = {
    ...shared,
    runTogether: createRunTogether(context.db, context.metrics),
    attemptLimit: createAttemptLimit(context),
    knownDevices,
    passkeyChallenges: createPasskeyChallenges(context),
    proofs: createProofs(context),
    formTokens: createFormTokens(context.keyring),
    idpClients: createIdpClients(context),
  };
  const findSignInRoute = createSignInRoutes(signInContext);
  const findCallback = createIdpCallback(context);
  const routes: ReadonlyMap<string, PageRoute> = new Map(
    Object.entries<PageRoute>({
      ...STYLESHEET.routes,
      ...createInitRoutes(shared),
      ...createEmailRoutes(shared),
      ...createPhoneRoutes(shared),
      ...createPasskeyRoutes(shared),
      ...PASSKEY_SIGN_IN_SCRIPT.routes,
      ...createAccountRoutes(signInContext),
      ...createPasswordRoutes(shared),
    }),
  );

  return async (request) => {
    const { path } = request;
    const found = findRoute(path);
    const visit = toVisit(request);
    const response = await serveRoute(found?.handlers, visit, config.publicUrl);
    const loggedPath = path.startsWith(SIGN_IN_PREFIX) && { loggedPath: `${SIGN_IN_PREFIX}…` };
    return { ...response, ...(found ? { route: found.template } : { isUnknownPath: true }), ...loggedPath };
  };

  function findRoute(path: string): { readonly template: string; readonly handlers: PageRoute } | undefined {
    const page = routes.get(path);
    if (page !== undefined) return { template: path, handlers: page };
    const step = findSignInRoute(path);
    if (step !== undefined) return { template: path.replace(/^(\/ui\/sign-in)\/[^/]+/, "$1/:id"), handlers: step };
    const callback = findCallback(path);
    return callback && { template: "/ui/idps/:id/callback", handlers: callback };
  }
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
