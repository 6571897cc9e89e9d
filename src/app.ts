import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import { AdminService } from "../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../gen/signet/v1/management_pb.js";
import { createAuthorize } from "./access/authorize.ts";
import type { Clock } from "./call.ts";
import type { Config } from "./config.ts";
import type { Keyring } from "./crypto/keyring.ts";
import type { Tables } from "./database/tables.ts";
import type { Handler } from "./http/exchange.ts";
import { createHealthMounts } from "./http/health.ts";
import { createRouter } from "./http/router.ts";
import { createAddOidcIdp } from "./idps/add-oidc-idp.ts";
import { createAddOrgOidcIdp } from "./idps/add-org-oidc-idp.ts";
import { createOutbox } from "./messages/outbox.ts";
import { emailRoute } from "./messages/senders/create-senders.ts";
import type { Hasher } from "./passwords/hasher.ts";
import { createRpcHandler } from "./rpc/create-rpc-handler.ts";
import { implement } from "./rpc/implement.ts";
import { createImportHumanUser } from "./users/import-human-user.ts";
import { createUpdateHumanPhone } from "./users/update-human-phone.ts";
import { createPages } from "./web/create-pages.ts";
import { createPageHandler } from "./web/serve-page.ts";

/** What the service is made of. */
export interface ServiceParts {
  readonly config: Config;
  /** With its tables up to date. */
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Hasher;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a message was queued. */
  readonly onQueued: () => void;
}

/** The service, ready to be put on a port. */
export interface Service {
  readonly handler: Handler;
  /** From now on `/readyz` says that the service takes no more. */
  beginDrain(): void;
}

/** Puts the service together: operations, RPCs, pages, and the handler that answers every request. */
export function createService({ config, db, keyring, passwords, clock, log, onQueued }: ServiceParts): Service {
  const outbox = createOutbox({
    keyring,
    publicUrl: config.publicUrl,
    sendsEmail: emailRoute(config) !== "none",
    sendsSms: config.sms !== undefined,
    onQueued,
  });
  const rpcs = [
    ...implement(AdminService, {}, { addOIDCIDP: adapt(createAddOidcIdp({ db, keyring, clock })) }),
    ...implement(
      ManagementService,
      {},
      {
        addOrgOIDCIDP: adapt(createAddOrgOidcIdp({ db, keyring, clock })),
        importHumanUser: adapt(createImportHumanUser({ db, keyring, passwords, outbox, clock })),
        updateHumanPhone: adapt(createUpdateHumanPhone({ db, outbox, clock })),
      },
    ),
  ];
  const { corsOrigins, maxBodyBytes, requestTimeoutMs } = config;
  let isDraining = false;
  let asking: Promise<unknown> | undefined;
  const checkReady = async () => {
    if (isDraining) throw new Error("the service is draining");
    asking ??= sql`select 1`.execute(db).finally(() => {
      asking = undefined;
    });
    await asking;
  };
  const servePage = createPages({ config, db, keyring, passwords, outbox, clock });
  const mounts = [
    ...createHealthMounts(checkReady),
    { prefix: "/ui/", handler: createPageHandler({ servePage, requestTimeoutMs, log }) },
  ];
  const authorize = createAuthorize(db, clock);
  const rpcHandler = createRpcHandler({ rpcs, authorize, corsOrigins, maxBodyBytes, requestTimeoutMs, log });
  return {
    handler: createRouter(mounts, rpcHandler),
    beginDrain() {
      isDraining = true;
    },
  };
}

function adapt<Request, Answer>(run: (request: Request, call: import("./call.ts").Call) => Promise<Answer>) {
  return {
    check: (request: Request) => request,
    run: (_: object, request: Request, call: import("./call.ts").Call) => run(request, call),
  };
}
