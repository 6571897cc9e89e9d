import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { pino } from "pino";
import { createToken } from "../../../src/access/create-token.ts";
import { grantRole } from "../../../src/access/grant-role.ts";
import type { TokenUses } from "../../../src/access/token-uses.ts";
import { createApp } from "../../../src/app.ts";
import type { Clock } from "../../../src/clock.ts";
import { type Config, readConfig } from "../../../src/config.ts";
import { createKeyring, type Keyring } from "../../../src/crypto/keyring.ts";
import { registerKeys } from "../../../src/crypto/register-keys.ts";
import type { Database } from "../../../src/database/database.ts";
import type { Budgets } from "../../../src/http/budgets.ts";
import { createPort } from "../../../src/http/port.ts";
import { createOrgRemoval, type OrgRemoval } from "../../../src/instance/org-removal/create-org-removal.ts";
import { setUpInstance } from "../../../src/instance/set-up-instance.ts";
import { createDelivery, type Delivery } from "../../../src/messages/create-delivery.ts";
import { createSenders } from "../../../src/messages/senders/create-senders.ts";
import { createOrg } from "../../../src/orgs/change-org.ts";
import { createProveDomain } from "../../../src/orgs/domains/domain-proof.ts";
import { createHasher, type Hasher } from "../../../src/passwords/hasher.ts";
import { ROLES, type Role } from "../../../src/roles.ts";
import type { WatchTimes } from "../../../src/rpc/streams/create-watch-services.ts";
import type { StreamBudgets } from "../../../src/rpc/streams/stream-budgets.ts";
import { deliverWebhooks } from "../../../src/server/deliver-webhooks.ts";
import type { FailedSignIns } from "../../../src/sign-in/failed-sign-ins.ts";
import type { ProviderHosts } from "../../../src/sign-in/provider/kinds/provider-hosts.ts";
import type { Metrics } from "../../../src/telemetry/metrics.ts";
import { openTracer } from "../../../src/telemetry/open-tracer.ts";
import { ensureMachineUser } from "../../../src/users/machine/ensure-machine-user.ts";
import type { Sessions } from "../../../src/web/frame/sessions.ts";
import type { Interactions } from "../../../src/web/sign-in/interactions.ts";
import type { WebhookDelivery } from "../../../src/webhooks/create-webhook-delivery.ts";
import { createTestDatabase, type DatabaseKind, type TestDatabase } from "../databases/database.ts";
import { insertSigningKeys } from "../oidc/signing-keys.ts";
import { startDns, type TestDns } from "./dns-server.ts";

/** The service on a real port and a real database, in this process, with access to its clock and log. */
export interface TestService {
  readonly origin: string;
  readonly port: number;
  readonly db: Database;
  /** The connections that the pages use. */
  readonly pagesDb: Database;
  readonly config: Config;
  readonly keyring: Keyring;
  /** Not started: a test runs it with `deliverDue`. Without SMTP_URL, emails become files in DATA_DIR/mail. */
  readonly delivery: Delivery;
  /** Not started either. Reaches this machine only with IDP_ALLOW_PRIVATE_NETWORKS. */
  readonly webhooks: WebhookDelivery;
  /** Not started either: a test runs it with `removeDue`. */
  readonly orgRemoval: OrgRemoval;
  /** The DNS server with which the service checks domains. */
  readonly dns: TestDns;
  readonly instanceId: string;
  /** The organization `default`. */
  readonly orgId: string;
  /** Token of the user `admin`, with the role INSTANCE_OWNER. */
  readonly adminToken: string;
  /** Id of the user `admin`. */
  readonly adminId: string;
  /** Lines of the log so far, parsed. */
  readonly logs: Record<string, unknown>[];
  /** The sign-ins in progress, as the pages see them. */
  readonly interactions: Interactions;
  readonly sessions: Sessions;
  readonly tokenUses: TokenUses;
  readonly failedSignIns: FailedSignIns;
  /** Every response to a caller of the tests, as text. */
  readonly responses: string[];
  readonly clock: Clock;
  /** How far the service's clock is ahead, in milliseconds; a test may set it. */
  clockOffsetMs: number;
  /** From now on, only `clockOffsetMs` changes the clock, so that a slow test does not outlast a delay or a limit. */
  stopClock(): void;
  /** Registers a text that must be in no table, log line or response when the service is closed. Shorter texts than ten
   * characters are ignored, because they can occur by chance. */
  secret(text: string): string;
  createOrg(name: string): Promise<string>;
  /** A token of a new machine user in an organization, with a role in the instance or in an organization. */
  createToken(options: { orgId: string; role?: Role; scopeId?: string; expiresAt?: Date }): Promise<{
    id: string;
    token: string;
    userId: string;
  }>;
  /** Ends the open streams, and rejects new ones. */
  beginDrain(): void;
  /** Stops the service. Rejects if a registered secret is found. */
  close(): Promise<void>;
}

/** All tests have the same address. */
const GENEROUS = {
  newConnections: { burst: 1e9, perSecond: 1e9 },
  requests: { burst: 1e9, perSecond: 1e9 },
  failures: { burst: 1e9, perSecond: 1e9 },
  loopDelayMs: 1e9,
};

/** Hashing is cheap by default. */
const HASHING = { scheme: "bcrypt", cost: 4, threads: 1 } as const;
let cheapHasher: Hasher | undefined;

/** A service that starts on a database with rows, whose token file is in DATA_DIR. */
interface Existing {
  readonly database: TestDatabase;
  readonly masterKey: Buffer;
  readonly port: number;
}

/**
 * @param environment Variables of the configuration; by default, hashing is cheap, and passkeys are not offered.
 * @param options `existing`: used instead of a new database of this kind; `budgets`: instead of generous ones; `providerHosts`:
 *   instead of those of Google and others.
 */
export async function startService(
  kind: DatabaseKind,
  environment: Record<string, string> = {},
  {
    existing,
    metrics,
    budgets,
    providerHosts,
    watchTimes,
    watchBudgets,
  }: {
    readonly existing?: Existing;
    readonly metrics?: Metrics;
    readonly budgets?: Partial<Budgets>;
    readonly providerHosts?: ProviderHosts;
    readonly watchTimes?: WatchTimes;
    readonly watchBudgets?: Partial<StreamBudgets>;
  } = {},
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), "signet-service-"));
  const config = readConfig({
    DATA_DIR: folder,
    BCRYPT_COST: String(HASHING.cost),
    HASH_THREADS: String(HASHING.threads),
    PASSKEY_OFFER: "never",
    ...environment,
  });
  const database = existing?.database ?? (await createTestDatabase(kind, config.databasePoolSize));
  const { db, pagesDb } = database;
  const keyring = createKeyring([existing?.masterKey ?? randomBytes(32)]);
  const passwords = openHasher(config, metrics);
  const logs: Record<string, unknown>[] = [];
  const log = pino({ level: "debug", base: null }, { write: (line: string) => logs.push(JSON.parse(line)) });
  const secrets = new Set<string>();
  const responses: string[] = [];
  let stoppedAt: number | undefined;
  const clock = () => new Date((stoppedAt ?? Date.now()) + service.clockOffsetMs);

  await registerKeys(db, keyring, new Date());
  await setUpInstance(db, config.adminTokenFile, new Date());
  if (existing === undefined) await insertSigningKeys(db, keyring);
  const adminToken = readFileSync(config.adminTokenFile, "utf8").trim();
  secrets.add(adminToken);
  const { publicUrl } = config;
  const tracer = await openTracer(config, { log, version: "1.2.3" });
  const senders = createSenders(config, clock);
  const delivery = createDelivery({ db, keyring, clock, senders, publicUrl, log, tracer, pauseMs: 50 });
  const webhooks = deliverWebhooks({ config, db, keyring, clock, log });
  const dns = await startDns();
  const app = createApp({
    config,
    db,
    pagesDb,
    keyring,
    passwords,
    clock,
    log,
    version: "1.2.3",
    tracer,
    onQueued() {},
    metrics,
    proveDomain: createProveDomain({ allowsPrivate: false, dnsServers: [dns.address] }),
    providerHosts,
    watchTimes,
    watchBudgets,
  });
  const { handler, isRecognized, interactions, sessions, tokenUses, failedSignIns } = app;
  const { announceEnds, eraseFiles, beginDrain } = app;
  const { requestTimeoutMs } = config;
  const orgRemoval = createOrgRemoval({ db, clock, log, eraseFiles, announceEnds, requestTimeoutMs });
  const port = createPort({
    handler,
    isRecognized,
    trustedProxies: config.trustedProxies,
    requestTimeoutMs,
    budgets: { ...GENEROUS, ...budgets },
    metrics,
  });
  const { port: number } = await port.listen(existing?.port ?? 0, "127.0.0.1");
  const { id: instanceId } = await db.selectFrom("instance").select("id").executeTakeFirstOrThrow();
  const admin = await db.selectFrom("users").select(["id", "org_id"]).orderBy("created_at").executeTakeFirstOrThrow();

  const service: TestService = {
    origin: `http://127.0.0.1:${number}`,
    port: number,
    db,
    pagesDb,
    config,
    keyring,
    delivery,
    webhooks,
    orgRemoval,
    dns,
    instanceId,
    orgId: admin.org_id,
    adminToken,
    adminId: admin.id,
    logs,
    interactions,
    sessions,
    tokenUses,
    failedSignIns,
    responses,
    clock,
    clockOffsetMs: 0,
    stopClock() {
      stoppedAt = Date.now();
    },
    secret(text) {
      if (text.length >= 10) secrets.add(text);
      return text;
    },
    beginDrain,
    createOrg: (name) => createOrg({ db, clock }, name),
    async createToken({ orgId, role, scopeId, expiresAt }) {
      const parts = { db, clock };
      const { id: userId } = await ensureMachineUser(parts, orgId, `machine-${randomBytes(6).toString("hex")}`);
      const scope = scopeId ?? (role && ROLES[role].scope === "instance" ? instanceId : orgId);
      if (role !== undefined) await grantRole(parts, { user: { id: userId, orgId }, role, scopeId: scope });
      const created = await createToken(parts, { id: userId, orgId }, expiresAt ?? null);
      secrets.add(created.token);
      return { ...created, userId };
    },
    async close() {
      try {
        beginDrain();
        await port.drain(1_000);
        await delivery.stop(1_000);
        await webhooks.stop(1_000);
        await orgRemoval.stop();
        await passwords.close();
        await tracer?.close(1_000);
        await expectNoSecrets(db, secrets, { logs: JSON.stringify(logs), responses: responses.join("\n") });
      } finally {
        await dns.close();
        await database.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
  return service;
}

/**
 * Returns a new hasher, or for the default settings the one of all test files of this process, which is never closed:
 * its thread takes 0.13 s of CPU time to start, and does not keep the process alive.
 */
function openHasher(
  { passwordHash: scheme, bcryptCost: cost, hashThreads: threads }: Config,
  metrics?: Metrics,
): Hasher {
  if (metrics !== undefined || !isDeepStrictEqual({ scheme, cost, threads }, HASHING)) {
    return createHasher({ scheme, cost, threads, metrics });
  }
  cheapHasher ??= createHasher(HASHING);
  return { ...cheapHasher, close: async () => {} };
}

/** The only column that may contain a secret of a caller: an imported hash. */
const HASH_COLUMN = "password_hash";

async function expectNoSecrets(db: Database, secrets: Set<string>, texts: Record<string, string>): Promise<void> {
  const tables = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`
      select (to_jsonb(t) - ${HASH_COLUMN}::text)::text as text from ${sql.table(name)} as t`.execute(db);
    texts[`table ${name}`] = rows.map(({ text }) => text).join("\n");
  }
  for (const [place, text] of Object.entries(texts)) {
    for (const secret of secrets) {
      const forms = [secret, JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString("hex")];
      if (forms.some((form) => text.includes(form))) throw new Error(`a secret of the tests is in ${place}`);
    }
  }
}
