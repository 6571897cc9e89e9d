import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { createAuthorize } from "./access/authorize.ts";
import type { Clock } from "./call.ts";
import type { Config } from "./config.ts";
import type { Keyring } from "./crypto/keyring.ts";
import { createCheckWritable } from "./database/check-writable.ts";
import type { Tables } from "./database/tables.ts";
import type { Listener } from "./http/port.ts";
import { createAddOidcIdp } from "./idps/add-oidc-idp.ts";
import { createAddOrgOidcIdp } from "./idps/add-org-oidc-idp.ts";
import { createOutbox } from "./messages/outbox.ts";
import { emailRoute } from "./messages/senders/create-senders.ts";
import type { Passwords } from "./passwords/passwords.ts";
import { createConnectHandlers } from "./rpc/connect/connect-handlers.ts";
import { createListener } from "./rpc/create-listener.ts";
import { createRpcMethods } from "./rpc/rpc-methods.ts";
import { createImportHumanUser } from "./users/import-human-user.ts";
import { createUpdateHumanPhone } from "./users/update-human-phone.ts";
import { createPages } from "./web/create-pages.ts";

/** What the service is made of. */
export interface ServiceParts {
  readonly config: Config;
  /** With its tables up to date. */
  readonly db: Kysely<Tables>;
  /** The same database, with the pages' part of the connections. */
  readonly pagesDb: Kysely<Tables>;
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
export function createService(parts: ServiceParts): Service {
  const { config, db, pagesDb, keyring, passwords, clock, log, onQueued } = parts;
  const outbox = createOutbox({
    keyring,
    publicUrl: config.publicUrl,
    sendsEmail: emailRoute(config) !== "none",
    sendsSms: config.sms !== undefined,
    onQueued,
  });
  const rpcs = createRpcMethods({
    addOidcIdp: createAddOidcIdp({ db, keyring, clock }),
    addOrgOidcIdp: createAddOrgOidcIdp({ db, keyring, clock }),
    importHumanUser: createImportHumanUser({ db, keyring, passwords, outbox, clock }),
    updateHumanPhone: createUpdateHumanPhone({ db, outbox, clock }),
  });
  const authorize = createAuthorize(db, clock);
  const { corsOrigins, trustedProxies, maxBodyBytes, requestTimeoutMs } = config;
  let isDraining = false;
  const checkWritable = createCheckWritable(db);
  const listener = createListener({
    rpcs,
    connectHandlers: createConnectHandlers(rpcs, { authorize, log }),
    authorize,
    servePage: createPages({ config, db: pagesDb, keyring, passwords, outbox, clock }),
    corsOrigins,
    trustedProxies,
    maxBodyBytes,
    requestTimeoutMs,
    log,
    async checkReady() {
      if (isDraining) throw new Error("the service is draining");
      await checkWritable();
    },
  });
  return {
    listener,
    beginDrain() {
      isDraining = true;
    },
  };
}
