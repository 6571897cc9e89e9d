import type { Transport } from "@connectrpc/connect";
import { pino } from "pino";
import { createSanitizeSvg } from "../branding/svg-thread.ts";
import type { Config } from "../config.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { createRunTogether } from "../database/run-together.ts";
import { createReadSettledPosition } from "../events/settled-position.ts";
import { createSamlThread } from "../idps/saml/saml-thread.ts";
import { createOrgRemoval, type OrgRemoval } from "../instance/org-removal/create-org-removal.ts";
import { mailFolder, smsFolder } from "../messages/senders/create-senders.ts";
import { createEraseFiles } from "../messages/senders/message-file.ts";
import { createProveDomain } from "../orgs/domains/domain-proof.ts";
import { createHasher, type Hasher } from "../passwords/hasher.ts";
import { createOperatorTransport, type OperatedInstance } from "../rpc/operator-transport.ts";
import { createRpcs, type RpcParts } from "../rpcs.ts";
import { openKeyring } from "../server/keyring.ts";
import { withDatabase } from "../server/open-database.ts";
import type { AnnounceEnds } from "../users/change/end-sessions.ts";
import { readStoredCredentials, type StoredCredentials } from "../users/read/read-stored-credentials.ts";
import { createCommandOutbox } from "./command-outbox.ts";
import { notifyAppsOfEnds } from "./notify-apps.ts";

/** How a command reaches the API. */
export interface Access {
  readonly transport: Transport;
  /** Returns the owner of an object. Undefined on a server, where a call reaches one organization only. */
  findOwner(kind: ObjectKind, id: string): Promise<string | undefined>;
  /** Deletes the data of removed organizations, unless a server on the database does. Undefined on a server. */
  readonly eraseRemovedOrgs?: OrgRemoval["removeDue"];
  /** Reads the credentials of users as they are stored. Undefined on a server, whose API never returns them. */
  readonly readCredentials?: ReadCredentials;
  /** Ends the connection, if it would keep the process alive. */
  close?(): void;
}

/** The objects that a command on the database finds by their id alone. */
export type ObjectKind = "user" | "app" | "api";

/** See `readStoredCredentials`. */
export type ReadCredentials = (
  orgId: string,
  userIds: readonly string[],
  includes: { readonly hashes: boolean; readonly secrets: boolean },
) => Promise<Map<string, StoredCredentials>>;

/** Runs `use` with the API on the configured database, called by the operator. */
export async function withOperatorAccess<T>(config: Config, use: (access: Access) => Promise<T>): Promise<T> {
  const { passwordHash: scheme, bcryptCost: cost, hashThreads: threads } = config;
  const passwords = createHasher({ scheme, cost, threads });
  try {
    return await withDatabase(config, (db) =>
      notifyAppsOfEnds(config, db, async (announceEnds) => {
        const parts = createParts(config, db, passwords, announceEnds);
        const transport = createOperatorTransport(createRpcs(parts), {
          ...(await readInstance(db)),
          // The key may be newer than the last start of the service.
          prepareChange: () => registerKeys(db, parts.keyring, parts.clock()),
        });
        return await use({
          transport,
          findOwner: (kind, id) => findOwner(db, kind, id),
          // Applications are not notified: a command collects the ended sessions, and there may be millions.
          eraseRemovedOrgs: createOrgRemoval({
            ...{ db, clock: parts.clock, eraseFiles: parts.eraseFiles, log: pino({ level: "silent" }) },
            requestTimeoutMs: config.requestTimeoutMs,
          }).removeDue,
          readCredentials: (...given) => readStoredCredentials(parts, ...given),
        });
      }),
    );
  } finally {
    await passwords.close();
  }
}

function createParts(config: Config, db: Database, passwords: Hasher, announceEnds: AnnounceEnds): RpcParts {
  return {
    config,
    db,
    passwords,
    announceEnds,
    runTogether: createRunTogether(db),
    keyring: openKeyring(config),
    outbox: createCommandOutbox(config),
    clock: () => new Date(),
    eraseFiles: createEraseFiles({ email: mailFolder(config), sms: smsFolder(config) }),
    publicUrl: config.publicUrl,
    readSettledPosition: createReadSettledPosition(db),
    saml: createSamlThread(),
    sanitizeSvg: createSanitizeSvg(),
    proveDomain: createProveDomain({ allowsPrivate: config.idpAllowPrivateNetworks }),
  };
}

async function readInstance(db: Database): Promise<Omit<OperatedInstance, "prepareChange">> {
  const { id, default_org_id: defaultOrgId } = await db
    .selectFrom("instance")
    .select(["id", "default_org_id"])
    .executeTakeFirstOrThrow();
  const hasOrg = async (orgId: string) =>
    isId(orgId) &&
    (await db
      .selectFrom("orgs")
      .select("id")
      .where("id", "=", orgId)
      .where("removed_at", "is", null)
      .executeTakeFirst()) !== undefined;
  return { instanceId: id, defaultOrgId, hasOrg };
}

async function findOwner(db: Database, kind: ObjectKind, id: string): Promise<string | undefined> {
  if (!isId(id)) return undefined;
  if (kind === "user") {
    const user = await db.selectFrom("users").select("org_id").where("id", "=", id).executeTakeFirst();
    return user?.org_id;
  }
  const object = await db
    .selectFrom(kind === "app" ? "apps" : "apis")
    .select("owner_id")
    .where("id", "=", id)
    .executeTakeFirst();
  return object?.owner_id;
}
