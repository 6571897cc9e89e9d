import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { createAuthorize } from "./access/authorize.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Keyring } from "./crypto/keyring.ts";
import { createCheckWritable } from "./database/check-writable.ts";
import { compileStatements } from "./database/prepare.ts";
import { createRunTogether } from "./database/run-together.ts";
import type { Tables } from "./database/tables.ts";
import { compileRules } from "./fields/check-message.ts";
import { loadPhones } from "./fields/phone.ts";
import type { Handler } from "./http/exchange.ts";
import { createHealthMounts } from "./http/health.ts";
import { createRouter } from "./http/router.ts";
import { createOutbox } from "./messages/outbox.ts";
import { emailRoute, mailFolder, smsFolder } from "./messages/senders/create-senders.ts";
import { createEraseFiles } from "./messages/senders/message-file.ts";
import { createOidc } from "./oidc/create-oidc.ts";
import type { Hasher } from "./passwords/hasher.ts";
import { loadCompressions } from "./rpc/connect/compression.ts";
import { createRpcHandler } from "./rpc/create-rpc-handler.ts";
import { createConventions } from "./rpc/grpc/create-conventions.ts";
import { createRpcs } from "./rpcs.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import type { Tracer } from "./telemetry/span.ts";
import type { Sessions } from "./web/account/sessions.ts";
import type { ServePage } from "./web/frame/page.ts";
import { createGuideMounts } from "./web/guide/create-guide.ts";
import { createHome } from "./web/reference/create-home.ts";
import { createReferenceMounts } from "./web/reference/create-reference.ts";
import { createPageHandler } from "./web/serve-page.ts";
import type { SignInRequests } from "./web/sign-in/sign-in-requests.ts";

/** The parts of the service. */
export interface AppParts {
  readonly config: Config;
  /** All migrations have run. */
  readonly db: Kysely<Tables>;
  /** The same database, with the connection share for pages. */
  readonly pagesDb: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Hasher;
  readonly clock: Clock;
  readonly log: Logger;
  /** Undefined while traces are off. */
  readonly tracer?: Tracer | undefined;
  /** Called after a message is queued. */
  readonly onQueued: () => void;
  /** Undefined while metrics are off. */
  readonly metrics?: Metrics | undefined;
}

/** The service without a port. */
export interface App {
  readonly handler: Handler;
  readonly signInRequests: SignInRequests;
  readonly sessions: Sessions;
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
  const { config, db, pagesDb, keyring, passwords, clock, log, tracer, onQueued, metrics } = parts;
  const { corsOrigins, maxBodyBytes, requestTimeoutMs } = config;
  const outbox = createOutbox({
    keyring,
    publicUrl: config.publicUrl,
    sendsEmail: emailRoute(config) !== "none",
    sendsSms: config.sms !== undefined,
    onQueued,
  });
  const runTogether = createRunTogether(db, metrics);
  const eraseFiles = createEraseFiles({ email: mailFolder(config), sms: smsFolder(config) });
  const oidcParts = { config, db: pagesDb, keyring, clock, log, tracer, metrics };
  const { signInRequests, sessions, announceEnds, ...oidc } = createOidc(oidcParts);
  const rpcs = createRpcs({ db, runTogether, keyring, passwords, outbox, clock, eraseFiles, announceEnds });
  const pageParts = { config, db: pagesDb, keyring, passwords, outbox, clock, announceEnds, metrics };
  let pages: ServePage | undefined;
  const loadPages = async () => {
    // 130 modules, so startup does not wait for them.
    const { createPages } = await import("./web/create-pages.ts");
    pages ??= createPages({ ...pageParts, signInRequests, sessions, log });
    return pages;
  };
  const servePage: ServePage = async (request) => (pages ?? (await loadPages()))(request);
  const readiness = createReadiness(db);
  const mounts = [
    ...createHealthMounts(readiness.check),
    ...oidc.mounts,
    { prefix: "/ui/", handler: createPageHandler({ servePage, requestTimeoutMs, log, tracer, metrics }) },
    ...createGuideMounts({ log }),
    ...createReferenceMounts({ log }),
  ];
  const authorize = createAuthorize(runTogether, clock);
  const services = [...new Set(rpcs.map(({ desc }) => desc.parent))];
  const conventions = createConventions({ services, checkReady: readiness.check, log, metrics });
  const rpcHandler = createRpcHandler({
    rpcs,
    authorize,
    corsOrigins,
    publicServices: conventions.services,
    maxBodyBytes,
    requestTimeoutMs,
    log,
    tracer,
    metrics,
  });
  return {
    handler: createRouter(mounts, createHome(rpcHandler)),
    signInRequests,
    sessions,
    checkReady: readiness.check,
    async warmUp(signal) {
      const inputs = rpcs.map(({ desc }) => desc.input);
      const steps = [
        () => compileStatements(signal),
        // After the statements, because no call runs while modules load: the provider's modules take 0.2 s.
        () => compileRules(inputs, signal),
        loadPhones,
        loadCompressions,
        loadPages,
        oidc.load,
        // The statements of the modules that were just loaded.
        () => compileStatements(signal),
      ];
      for (const step of steps) if (!signal.aborted) await step();
    },
    endReadiness() {
      readiness.end();
      conventions.recheck();
    },
    beginDrain() {
      readiness.end();
      conventions.drain();
    },
  };
}

function createReadiness(db: Kysely<Tables>) {
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
