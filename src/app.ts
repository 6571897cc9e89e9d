import type { Logger } from "pino";
import { createAuthorize } from "./access/authorize.ts";
import { createRecentCredentials, hashCredential } from "./access/recent-credentials.ts";
import { createTokenUses, type TokenUses } from "./access/token-uses.ts";
import { createBrandings } from "./branding/create-brandings.ts";
import { createSanitizeSvg } from "./branding/svg-thread.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Keyring } from "./crypto/keyring.ts";
import { createCheckWritable } from "./database/check-writable.ts";
import type { Database } from "./database/database.ts";
import { compileStatements } from "./database/prepare.ts";
import { createRunTogether } from "./database/run-together.ts";
import { createReadSettledPosition } from "./events/settled-position.ts";
import { loadPhones } from "./fields/phone.ts";
import type { Exchange, Handler, RawHeaders } from "./http/exchange.ts";
import { createHealthMounts } from "./http/health.ts";
import { createPageTurns } from "./http/page-turns.ts";
import { createRouter } from "./http/router.ts";
import { createSamlThread } from "./idps/saml/saml-thread.ts";
import { createOutbox, type Outbox } from "./messages/outbox.ts";
import { emailRoute, mailFolder, smsFolder } from "./messages/senders/create-senders.ts";
import { createEraseFiles, type EraseFiles } from "./messages/senders/message-file.ts";
import { createOidc } from "./oidc/create-oidc.ts";
import { createProveDomain, type ProveDomain } from "./orgs/domains/domain-proof.ts";
import type { Hasher } from "./passwords/hasher.ts";
import { loadCompressions } from "./rpc/connect/compression.ts";
import { createHealthAndReflection } from "./rpc/create-health-and-reflection.ts";
import { createRpcHandler } from "./rpc/create-rpc-handler.ts";
import type { Rpc } from "./rpc/implement.ts";
import { compileRules } from "./rpc/rules/check-message.ts";
import { createWatchServices, type WatchTimes } from "./rpc/streams/create-watch-services.ts";
import type { StreamBudgets } from "./rpc/streams/stream-budgets.ts";
import { createRpcs } from "./rpcs.ts";
import { createScimMount } from "./scim/create-scim.ts";
import { createScimRequestLog, type ScimRequestLog } from "./scim/requests/request-log.ts";
import { createFailedSignIns, type FailedSignIns } from "./sign-in/failed-sign-ins.ts";
import type { ProviderHosts } from "./sign-in/provider/kinds/provider-hosts.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import type { Tracer } from "./telemetry/span.ts";
import type { AnnounceEnds } from "./users/change/end-sessions.ts";
import { createConsoleMounts } from "./web/console/create-console.ts";
import type { ServePage } from "./web/frame/page.ts";
import type { Sessions } from "./web/frame/sessions.ts";
import { createGuideMounts } from "./web/guide/create-guide.ts";
import { createHomeMount } from "./web/reference/create-home.ts";
import { createReferenceMounts } from "./web/reference/create-reference.ts";
import { createPageHandler } from "./web/serve-page.ts";
import type { Interactions } from "./web/sign-in/interactions.ts";

/** The parts of the service. */
export interface AppParts {
  readonly config: Config;
  /** All migrations have run. */
  readonly db: Database;
  /** The same database, with the connection share for pages. */
  readonly pagesDb: Database;
  readonly keyring: Keyring;
  readonly passwords: Hasher;
  readonly clock: Clock;
  readonly log: Logger;
  /** Signet's version. */
  readonly version?: string | undefined;
  /** Undefined while traces are off. */
  readonly tracer?: Tracer | undefined;
  /** Called after a message is queued. */
  readonly onQueued: () => void;
  /** Undefined while metrics are off. */
  readonly metrics?: Metrics | undefined;
  /** How domains are checked; by default, with the DNS servers of the machine. */
  readonly proveDomain?: ProveDomain | undefined;
  /** Used instead of the times of streams of events. */
  readonly watchTimes?: WatchTimes | undefined;
  /** Used instead of the limits of these streams. */
  readonly watchBudgets?: Partial<StreamBudgets> | undefined;
  /** Used instead of the hosts of Google, Microsoft and others. */
  readonly providerHosts?: ProviderHosts | undefined;
}

/** The service without a port. */
export interface App {
  readonly handler: Handler;
  /** Whether a credential, as in the header `authorization`, was valid recently. */
  readonly isRecognized: (authorization: string) => boolean;
  readonly interactions: Interactions;
  readonly sessions: Sessions;
  readonly tokenUses: TokenUses;
  readonly scimRequests: ScimRequestLog;
  readonly failedSignIns: FailedSignIns;
  readonly announceEnds: AnnounceEnds;
  /** Removes the files of messages. */
  readonly eraseFiles: EraseFiles;
  /**
   * Prepares what the first calls would otherwise have to wait for. Call it once the service is listening. Stops early
   * on abort.
   */
  warmUp(signal: AbortSignal): Promise<void>;
  /** Resolves while the service can serve; see `/readyz`. */
  checkReady(): Promise<void>;
  /** From then on, `/readyz` and health checks report that the service is not ready. */
  endReadiness(): void;
  /** The same, and ends open streams. */
  beginDrain(): void;
}

/** Assembles the service: operations, RPCs, pages, and the handler of all requests. */
export function createApp(parts: AppParts): App {
  const { config, db, pagesDb, keyring, passwords, clock, log, tracer, metrics } = parts;
  const { corsOrigins, maxBodyBytes, requestTimeoutMs } = config;
  const runTogether = createRunTogether(db, metrics);
  const recentCredentials = createRecentCredentials();
  const brandings = createBrandings({ db: pagesDb, clock });
  const ofPages = { db: pagesDb, runTogether: createRunTogether(pagesDb, metrics), brandings, config, log, metrics };
  const oidcParts = { ...ofPages, keyring, clock, recentCredentials, tracer };
  const { interactions, sessions, announceEnds, ...oidc } = createOidc(oidcParts);
  const eraseFiles = createEraseFiles({ email: mailFolder(config), sms: smsFolder(config) });
  const shared = { keyring, passwords, outbox: createAppOutbox(parts), clock, announceEnds, eraseFiles };
  const readSettledPosition = createReadSettledPosition(db);
  const scimRequests = createScimRequestLog();
  const saml = createSamlThread();
  const { providerHosts } = parts;
  const rpcs = createRpcs({
    ...shared,
    db,
    runTogether,
    publicUrl: config.publicUrl,
    readSettledPosition,
    scimRequests,
    config,
    providerHosts,
    version: parts.version,
    saml,
    sanitizeSvg: createSanitizeSvg(),
    proveDomain: parts.proveDomain ?? createProveDomain({ allowsPrivate: config.idpAllowPrivateNetworks }),
  });
  const failedSignIns = createFailedSignIns();
  const pageParts = {
    ...shared,
    ...ofPages,
    providerHosts,
    saml,
    interactions,
    sessions,
    failedSignIns,
  };
  const pages = createLazyPages(pageParts);
  const readiness = createReadiness(db);
  const inTurn = createPageTurns(metrics);
  const pageHandler = createPageHandler({ servePage: pages.serve, requestTimeoutMs, log, tracer, metrics });
  const mounts = [
    ...createHealthMounts(readiness.check),
    ...oidc.mounts.map(({ prefix, handler }) => ({ prefix, handler: inTurn(handler) })),
    { prefix: "/ui/", handler: inTurn(pageHandler) },
    ...createConsoleMounts({ config, db: pagesDb, log }),
    ...createGuideMounts({ log }),
    ...createReferenceMounts({ log }),
    createScimMount({ ...shared, config, db, runTogether, recentCredentials, scimRequests, log }),
  ];
  const tokenUses = createTokenUses();
  const services = [...new Set(rpcs.map(({ desc }) => desc.parent))];
  const healthAndReflection = createHealthAndReflection({ services, checkReady: readiness.check, log, metrics });
  const authorize = createAuthorize(runTogether, clock, recentCredentials, tokenUses);
  const { watchTimes: times, watchBudgets: budgets } = parts;
  const watch = createWatchServices({ db, readSettledPosition, authorize, log, metrics, times, budgets });
  const streamServices = {
    serve: (exchange: Exchange, headers: RawHeaders) =>
      watch.serve(exchange, headers) || healthAndReflection.services.serve(exchange, headers),
    drain() {
      watch.drain();
      healthAndReflection.drain();
    },
  };
  const rpcHandler = createRpcHandler({
    rpcs,
    authorize,
    corsOrigins,
    streamServices,
    maxBodyBytes,
    requestTimeoutMs,
    log,
    tracer,
    metrics,
  });
  return {
    handler: createRouter([...mounts, createHomeMount(rpcHandler)], rpcHandler),
    isRecognized(authorization) {
      const hash = hashCredential(authorization);
      return hash !== undefined && recentCredentials.has(hash);
    },
    interactions,
    sessions,
    tokenUses,
    scimRequests,
    failedSignIns,
    announceEnds,
    eraseFiles,
    checkReady: readiness.check,
    warmUp: (signal) => warmUp([pages.load, oidc.load], rpcs, signal),
    endReadiness() {
      readiness.end();
      healthAndReflection.recheck();
    },
    beginDrain() {
      readiness.end();
      streamServices.drain();
    },
  };
}

function createAppOutbox({ config, keyring, onQueued }: AppParts): Outbox {
  return createOutbox({
    keyring,
    publicUrl: config.publicUrl,
    sendsEmail: emailRoute(config) !== "none",
    sendsSms: config.sms !== undefined,
    onQueued,
  });
}

/** Loads the pages with the first request: startup does not wait for 130 modules. */
function createLazyPages(parts: Parameters<typeof import("./web/create-pages.ts").createPages>[0]) {
  let pages: ServePage | undefined;
  const load = async () => {
    const { createPages } = await import("./web/create-pages.ts");
    pages ??= createPages(parts);
    return pages;
  };
  const serve: ServePage = async (request) => (pages ?? (await load()))(request);
  return { load, serve };
}

/**
 * Loading the modules is most of the CPU time of a start. A bundle would halve it, but stack traces would no longer
 * match the source files.
 *
 * @param loads Load the modules of pages and provider.
 */
async function warmUp(
  loads: readonly (() => Promise<unknown>)[],
  rpcs: readonly Rpc[],
  signal: AbortSignal,
): Promise<void> {
  const inputs = rpcs.map(({ desc }) => desc.input);
  const steps = [
    () => compileStatements(signal),
    // After the statements, because no call runs while modules load: the provider's modules take 0.2 s.
    () => compileRules(inputs, signal),
    loadPhones,
    loadCompressions,
    ...loads,
    // The statements of the modules that were just loaded.
    () => compileStatements(signal),
  ];
  for (const step of steps) if (!signal.aborted) await step();
}

function createReadiness(db: Database) {
  const checkWritable = createCheckWritable(db);
  let hasEnded = false;
  return {
    async check(): Promise<void> {
      if (hasEnded) throw new Error("the service is stopping");
      await checkWritable();
    },
    end() {
      hasEnded = true;
    },
  };
}
