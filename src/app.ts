import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { createAuthorize } from "./access/authorize.ts";
import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Keyring } from "./crypto/keyring.ts";
import type { Tables } from "./database/tables.ts";
import type { Listener } from "./http/port.ts";
import { createOutbox } from "./messages/outbox.ts";
import { emailRoute } from "./messages/senders/create-senders.ts";
import type { Passwords } from "./passwords/passwords.ts";
import { createConnectHandlers } from "./rpc/connect/connect-handlers.ts";
import { createListener } from "./rpc/create-listener.ts";
import { createOperations, createRpcMethods } from "./rpc/rpc-methods.ts";
import { createPages } from "./web/create-pages.ts";

/** What the service is made of. */
export interface ServiceParts {
  readonly config: Config;
  /** With its tables up to date. */
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a message was queued. */
  readonly onQueued: () => void;
}

/** The service, ready to be put on a port. */
export interface Service {
  readonly listener: Listener;
  /** From now on the service says that it is not ready for more. */
  beginDrain(): void;
}

/** Puts the service together: operations, RPC handlers, and the listener that answers every request. */
export function createService({ config, db, keyring, passwords, clock, log, onQueued }: ServiceParts): Service {
  const outbox = createOutbox({
    keyring,
    publicUrl: config.publicUrl,
    sendsEmail: emailRoute(config) !== "none",
    sendsSms: config.sms !== undefined,
    onQueued,
  });
  const rpcs = createRpcMethods(createOperations({ db, keyring, passwords, outbox, clock }));
  const authorize = createAuthorize(db, clock);
  const { corsOrigins, trustedProxies, maxBodyBytes, requestTimeoutMs } = config;
  let isDraining = false;
  let asking: Promise<unknown> | undefined;
  const listener = createListener({
    rpcs,
    connectHandlers: createConnectHandlers(rpcs, { authorize, log }),
    authorize,
    servePage: createPages({ config, db, keyring, passwords, outbox, clock }),
    corsOrigins,
    trustedProxies,
    maxBodyBytes,
    requestTimeoutMs,
    log,
    async checkReady() {
      if (isDraining) throw new Error("the service is draining");
      // One question for all who ask at the same time: anyone may ask.
      asking ??= sql`select 1`.execute(db).finally(() => {
        asking = undefined;
      });
      await asking;
    },
  });
  return {
    listener,
    beginDrain() {
      isDraining = true;
    },
  };
}
