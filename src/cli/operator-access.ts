import type { CallOptions, Transport } from "@connectrpc/connect";
import { sql } from "kysely";
import { pino } from "pino";
import { createSanitizeSvg } from "../branding/svg-thread.ts";
import type { Config } from "../config.ts";
import { registerKeys } from "../crypto/register-keys.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { createRunTogether } from "../database/run-together.ts";
import { SignetError } from "../errors.ts";
import { createReadSettledPosition } from "../events/settled-position.ts";
import { createSamlThread } from "../idps/saml/saml-thread.ts";
import { createOrgRemoval, type OrgRemoval } from "../instance/org-removal/create-org-removal.ts";
import { mailFolder, smsFolder } from "../messages/senders/create-senders.ts";
import { createEraseFiles } from "../messages/senders/message-file.ts";
import { inOrg } from "../moving/in-org.ts";
import { createProveDomain } from "../orgs/domains/domain-proof.ts";
import { createHasher, type Hasher } from "../passwords/hasher.ts";
import { createOperatorTransport } from "../rpc/operator-transport.ts";
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
  /** Undefined on a server, where a call reaches one organization only. */
  readonly instance?: InstanceAccess;
  /** Deletes the data of removed organizations, unless a server on the database does. Undefined on a server. */
  readonly eraseRemovedOrgs?: OrgRemoval["removeDue"];
  /** Reads the credentials of users as they are stored. Undefined on a server, whose API never returns them. */
  readonly readCredentials?: ReadCredentials;
  /** Ends the connection, if it would keep the process alive. */
  close?(): void;
}

export interface InstanceAccess {
  readonly id: string;
  /** The options of calls about objects of the instance that otherwise reach those of an organization. */
  readonly options: CallOptions;
  /** Returns the owners that have such objects. The name is null for the instance. */
  listOwners(kind: ObjectKind): Promise<readonly { readonly id: string; readonly name: string | null }[]>;
}

/** The objects that a command on the database finds by their id alone. */
export type ObjectKind = keyof typeof OWNERS;

/** See `readStoredCredentials`. */
type ReadCredentials = (
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
        const instances = db.selectFrom("instance").select(["id", "default_org_id"]);
        const { id: instanceId, default_org_id: defaultOrgId } = await instances.executeTakeFirstOrThrow();
        const transport = createOperatorTransport(createRpcs(parts), {
          instanceId,
          findTarget: (orgId) => findTarget(db, orgId, { instanceId, defaultOrgId }),
          // The key may be newer than the last start of the service.
          prepareChange: () => registerKeys(db, parts.keyring, parts.clock()),
        });
        return await use({
          transport,
          findOwner: (kind, id) => findOwner(db, kind, id),
          instance: {
            id: instanceId,
            options: inOrg(OF_INSTANCE),
            listOwners: (kind) => listOwners(db, kind),
          },
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

/** In place of the id of an organization. No option can give it: commands send only ids. */
const OF_INSTANCE = "instance";

/** @throws SignetError ORG_NOT_FOUND. */
async function findTarget(
  db: Database,
  given: string | null,
  { instanceId, defaultOrgId }: { readonly instanceId: string; readonly defaultOrgId: string | null },
): Promise<string> {
  if (given === OF_INSTANCE) return instanceId;
  const id = given ?? defaultOrgId ?? "";
  const orgs = db.selectFrom("orgs").select("id").where("id", "=", id).where("removed_at", "is", null);
  const org = isId(id) ? await orgs.executeTakeFirst() : undefined;
  if (org === undefined) throw new SignetError("ORG_NOT_FOUND", "the organization does not exist");
  return org.id;
}

/** The table of each kind, and its column with the owner. */
const OWNERS = {
  user: ["users", "org_id"],
  app: ["apps", "owner_id"],
  api: ["apis", "owner_id"],
  idp: ["idps", "owner_id"],
  webhook: ["webhooks", "owner_id"],
  scimConnection: ["scim_connections", "owner_id"],
} as const;

async function findOwner(db: Database, kind: ObjectKind, id: string): Promise<string | undefined> {
  if (!isId(id)) return undefined;
  const [table, column] = OWNERS[kind];
  const { rows } = await sql<{ owner: string }>`
    select ${sql.ref(column)} as owner from ${sql.table(table)} where id = ${id}::uuid`.execute(db);
  return rows[0]?.owner;
}

async function listOwners(db: Database, kind: ObjectKind) {
  const [table, column] = OWNERS[kind];
  const { rows } = await sql<{ id: string; name: string | null }>`
    select distinct owner.id, orgs.name
    from (select ${sql.ref(column)} as id from ${sql.table(table)}) as owner left join orgs on orgs.id = owner.id
    where orgs.removed_at is null`.execute(db);
  return rows;
}
