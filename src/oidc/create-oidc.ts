import type { Provider } from "oidc-provider";
import type { Logger } from "pino";
import type { RecentCredentials } from "../access/recent-credentials.ts";
import type { Brandings } from "../branding/create-brandings.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../database/database.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { HandlerMount } from "../http/router.ts";
import { logFailure } from "../log-failure.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/span.ts";
import { runInSpan } from "../telemetry/span-scope.ts";
import type { AnnounceEnds } from "../users/change/end-sessions.ts";
import type { Sessions } from "../web/frame/sessions.ts";
import type { Interactions } from "../web/sign-in/interactions.ts";
import { notifyApps, notifyInTurn } from "./back-channel-logout.ts";
import { createCookieSigner } from "./cookies.ts";
import { createCurrentProvider } from "./current-provider.ts";
import { createInteractions } from "./interactions.ts";
import { followRequests } from "./provider-events.ts";
import { createProviderHandler } from "./provider-handler.ts";
import { PATHS } from "./routes.ts";
import { createSessions } from "./sessions.ts";

interface OidcParts {
  readonly config: Config;
  readonly db: Database;
  readonly runTogether: RunTogether;
  readonly brandings: Brandings;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly recentCredentials: RecentCredentials;
  readonly log: Logger;
  readonly tracer?: Tracer | undefined;
  readonly metrics?: Metrics | undefined;
}

/** The OpenID provider, and its interfaces for the pages. */
interface Oidc {
  readonly mounts: readonly HandlerMount[];
  readonly interactions: Interactions;
  readonly sessions: Sessions;
  readonly announceEnds: AnnounceEnds;
  /** Loads the provider's modules, so that the first request does not have to wait for them. */
  load(): Promise<void>;
}

export function createOidc(parts: OidcParts): Oidc {
  const { config, db, keyring, clock, log, tracer, metrics } = parts;
  const {
    publicUrl,
    requestTimeoutMs,
    idpAllowPrivateNetworks: allowsPrivate,
    clientMetadataHosts: clientHosts,
  } = config;
  // Loaded lazily, because it has 183 modules.
  const load = () => import("./create-provider.ts");
  const signer = createCookieSigner(keyring.derive("cookies"));
  const currentProvider = createCurrentProvider({
    ...parts,
    async build(signingKeys) {
      const { createProvider } = await load();
      const options = { ...parts, issuer: publicUrl, signer, signingKeys, allowsPrivate, clientHosts };
      const provider = createProvider(options);
      // Before the first request, because RPCs end sessions too.
      followRequests(provider, { log, metrics });
      return provider;
    },
  });
  const handler = createProviderHandler({ ...parts, currentProvider, publicUrl, clientHosts, requestTimeoutMs });
  return {
    mounts: PATHS.map((prefix) => ({ prefix, handler })),
    interactions: createInteractions({ db, clock, signer, currentProvider }),
    sessions: createSessions({ db, clock, signer, publicUrl, currentProvider }),
    announceEnds(ended) {
      if (ended.length === 0) return;
      const span = tracer?.startRoot("notify applications");
      const warn = (err: unknown) =>
        logFailure(log, "warn", { err }, "applications could not be notified of the end of sessions");
      const notify = (provider: Provider) =>
        notifyInTurn(ended, (session) => notifyApps(provider, session).catch(warn));
      currentProvider()
        .then((provider) => runInSpan(span, () => notify(provider)))
        .catch(warn)
        .finally(() => span?.end());
    },
    async load() {
      await load();
    },
  };
}
