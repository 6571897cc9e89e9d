import type { Kysely } from "kysely";
import type { Provider } from "oidc-provider";
import type { Logger } from "pino";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Tables } from "../database/tables.ts";
import type { Mount } from "../http/router.ts";
import { logFailure } from "../log-failure.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/span.ts";
import { runInSpan } from "../telemetry/span-scope.ts";
import type { AnnounceEnds } from "../users/end-sessions.ts";
import type { Sessions } from "../web/account/sessions.ts";
import type { SignInRequests } from "../web/sign-in/sign-in-requests.ts";
import { notifyApps } from "./back-channel-logout.ts";
import { createCookieSigner } from "./cookie-signer.ts";
import { createCurrentProvider } from "./current-provider.ts";
import { createProviderHandler } from "./provider-handler.ts";
import { PATHS } from "./routes.ts";
import { createSessions } from "./sessions.ts";
import { createSignInRequests } from "./sign-in-requests.ts";

interface OidcParts {
  readonly config: Config;
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tracer?: Tracer | undefined;
  readonly metrics?: Metrics | undefined;
}

/** The OpenID provider, and its interfaces for the pages. */
export interface Oidc {
  readonly mounts: readonly Mount[];
  readonly signInRequests: SignInRequests;
  readonly sessions: Sessions;
  readonly announceEnds: AnnounceEnds;
  /** Loads the provider's modules, so that the first request does not have to wait for them. */
  load(): Promise<void>;
}

export function createOidc({ config, db, keyring, clock, log, tracer, metrics }: OidcParts): Oidc {
  const { publicUrl, requestTimeoutMs } = config;
  // Loaded lazily, because it has 183 modules.
  const load = () => import("./create-provider.ts");
  const signer = createCookieSigner(keyring.derive("cookies"));
  const currentProvider = createCurrentProvider({
    db,
    keyring,
    clock,
    log,
    async build(signingKeys) {
      const { createProvider } = await load();
      return createProvider({ db, clock, issuer: publicUrl, signer, signingKeys });
    },
  });
  const handler = createProviderHandler({ currentProvider, publicUrl, requestTimeoutMs, log, tracer, metrics });
  return {
    mounts: PATHS.map((prefix) => ({ prefix, handler })),
    signInRequests: createSignInRequests({ db, clock, signer, currentProvider }),
    sessions: createSessions({ db, clock, signer, publicUrl, currentProvider }),
    announceEnds(ended) {
      if (ended.length === 0) return;
      const span = tracer?.startRoot("notify applications");
      const notify = (provider: Provider) => Promise.all(ended.map((session) => notifyApps(provider, session)));
      currentProvider()
        .then((provider) => runInSpan(span, () => notify(provider)))
        .catch((err) => logFailure(log, "warn", { err }, "applications could not be notified of the end of sessions"))
        .finally(() => span?.end());
    },
    async load() {
      await load();
    },
  };
}
