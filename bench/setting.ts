import { spawnSync } from "node:child_process";
import { randomBytes, randomInt, randomUUIDv7 } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createId, createTokenSecret, hashSecret } from "../src/crypto/secrets.ts";
import { startPostgres } from "../test/support/databases/postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { toPhoneNumber, toUserId } from "./data.ts";
import { MINIMAL_TABLES } from "./minimal-server.ts";
import { readTreeSeconds, type ServerProcess, startServer } from "./processes.ts";
import { bindValues, type CapturedOperation, type CapturedStatement, captureStatements, SAMPLE } from "./statements.ts";

/** A PostgreSQL with Signet's tables, a token, and the requested number of users. */
export interface Setting {
  readonly url: string;
  /** The variables of a Signet on this database. */
  readonly environment: Readonly<Record<string, string>>;
  /** The same database through PostgreSQL's Unix socket. */
  readonly socketUrl: string;
  readonly users: number;
  /** The token of the first start, used in the captured statements. */
  readonly token: string;
  /** A token for each concurrent call, each of a different user. */
  readonly tokens: readonly string[];
  readonly statements: Record<"phone" | "import", CapturedOperation>;
  /** The servers to compare; stop each one before starting the next. */
  startSignet(environment?: Record<string, string>): Promise<ServerProcess>;
  startGrpcJs(): Promise<ServerProcess>;
  startMinimal(): Promise<ServerProcess>;
  startStock(): Promise<ServerProcess>;
  /** The version in another folder, with a separate database in the same PostgreSQL. */
  startBefore(
    folder: string,
    environment?: Record<string, string>,
  ): Promise<{ readonly server: ServerProcess; readonly token: string; readonly url: string }>;
  /** CPU seconds used by all PostgreSQL processes. */
  databaseSeconds(): number;
  /**
   * Only the same statements, with 32 clients: run by pgbench, or by `pg` in a bare loop if pgbench is not installed.
   */
  runBare(
    operation: "phone" | "import",
    seconds: number,
  ): Promise<{ by: "pgbench" | "pg in a bare loop"; perSecond: number }>;
  countUsers(): Promise<number>;
  /** How often phone numbers were changed since the start. */
  countPhoneChanges(): Promise<number>;
  stop(): Promise<void>;
}

/** @param options `isAnalyzed`: whether PostgreSQL has statistics of the users. */
export async function createSetting(users: number, { isAnalyzed = true } = {}): Promise<Setting> {
  const folder = mkdtempSync(join(tmpdir(), "signet-bench-"));
  const flags = ["shared_buffers=512MB", "max_wal_size=4GB", "unix_socket_directories=/tmp"];
  const postgres = await startPostgres(flags.flatMap((flag) => ["-c", flag]));
  const url = postgres.urlOf("postgres");
  const masterKey = randomBytes(32).toString("base64");
  const signet = {
    DATABASE_URL: url,
    MASTER_KEY: masterKey,
    PUBLIC_URL: "http://localhost:8080",
    DATA_DIR: folder,
    // A sign-in with a password leads directly to the application.
    PASSKEY_OFFER: "never",
  };
  const startSignet = async (environment: Record<string, string> = {}) =>
    startServer(await freePort(), ["bin/signet.js", "serve"], { ...signet, ...environment });
  await (await startSignet()).stop();
  const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
  const client = new pg.Client(url);
  await client.connect();
  const tokens = await createTokenSecrets(client, token);
  await fill(client, users);
  if (isAnalyzed) await client.query("vacuum analyze users");
  const statements = await captureStatements(url, token);
  await client.query(MINIMAL_TABLES);
  await client.query("insert into minimal_tokens select hash, org_id::text from tokens");
  const { rows } = await client.query("select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid");
  const postmaster = rows[0].pid as number;

  return {
    url,
    environment: signet,
    socketUrl: `postgres://postgres:postgres@/postgres?host=/tmp&port=${new URL(url).port}`,
    users,
    token,
    tokens,
    statements,
    startSignet,
    startGrpcJs: async () =>
      startServer(await freePort(), ["bench/grpc-js-server.ts"], {
        DATABASE_URL: url,
        BENCH_STATEMENTS: JSON.stringify(statements),
      }),
    startMinimal: async () => startServer(await freePort(), ["bench/minimal-server.ts"], { DATABASE_URL: url }),
    databaseSeconds: () => readTreeSeconds(postmaster),
    startStock: async () => startServer(await freePort(), ["bench/stock-server.ts"], signet),
    async startBefore(root, changes = {}) {
      await client.query("create database before");
      const databaseUrl = postgres.urlOf("before");
      const environment = { ...signet, ...changes, DATABASE_URL: databaseUrl, DATA_DIR: join(folder, "before") };
      const server = await startServer(await freePort(), [join(root, "bin/signet.js"), "serve"], environment);
      const filler = new pg.Client(environment.DATABASE_URL);
      await filler.connect();
      await fill(filler, users);
      await filler.query("vacuum analyze users");
      await filler.end();
      const token = readFileSync(join(folder, "before", "admin.token"), "utf8").trim();
      return { server, token, url: databaseUrl };
    },
    async runBare(operation, seconds) {
      const script = join(folder, `${operation}.sql`);
      writeFileSync(script, toPgbenchScript(statements[operation], users));
      const perSecond = runPgbench(script, url, seconds);
      if (perSecond !== undefined) return { by: "pgbench", perSecond };
      return { by: "pg in a bare loop", perSecond: await runLoop(statements[operation], { url, users, seconds }) };
    },
    countUsers: async () =>
      Number((await client.query("select count(*) from users where kind = 'human'")).rows[0].count),
    countPhoneChanges: async () =>
      Number((await client.query("select count(*) from events where type = 'user.human.phone.changed'")).rows[0].count),
    async stop() {
      await client.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tokens of 32 users with the same permissions as the first user. */
async function createTokenSecrets(client: pg.Client, first: string): Promise<string[]> {
  const tokens = Array.from({ length: 32 }, () => createTokenSecret());
  for (const token of tokens) {
    await client.query(
      `with copied_user as (
         insert into users select (jsonb_populate_record(users, jsonb_build_object('id', $1::uuid, 'user_name', $1, 'user_name_key', $1))).*
         from users join tokens on tokens.org_id = users.org_id and tokens.user_id = users.id where tokens.hash = $3),
       copied_member as (
         insert into members select (jsonb_populate_record(members, jsonb_build_object('user_id', $1::uuid))).*
         from members join tokens on tokens.org_id = members.user_org_id and tokens.user_id = members.user_id where tokens.hash = $3)
       insert into tokens select (jsonb_populate_record(tokens, jsonb_build_object('id', $1::uuid, 'user_id', $1::uuid, 'hash', $2::bytea))).*
       from tokens where hash = $3`,
      [createId(), hashSecret(token), hashSecret(first)],
    );
  }
  return tokens;
}

/** Users with the ids that the load requests, and the user in the captured statements. */
async function fill(client: pg.Client, users: number): Promise<void> {
  await client.query(
    `insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email, email_verified, sequence, created_at, changed_at)
     select orgs.id, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'human', 'filled-' || n, 'filled-' || n, 'Ada', 'Lovelace', 'Ada Lovelace', 0, 'ada@example.com', true, 1, now(), now()
     from orgs, (select generate_series(0, $1::int - 1) as n union select $2::int) as numbers`,
    [users, SAMPLE],
  );
}

/** Transactions per second; undefined if pgbench is not installed. */
function runPgbench(script: string, url: string, seconds: number): number | undefined {
  const args = ["-n", "-M", "prepared", "-c", "32", "-j", "2", "-T", String(seconds), "-f", script, url];
  const { stdout, stderr, error } = spawnSync("pgbench", args, { encoding: "utf8" });
  if (error) return undefined;
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (Number.isNaN(perSecond) || /ERROR/.test(stderr)) throw new Error(`pgbench: ${stderr || stdout}`);
  return perSecond;
}

async function runLoop(
  { authorize, write, newId }: CapturedOperation,
  { url, users, seconds }: { url: string; users: number; seconds: number },
): Promise<number> {
  let calls = 0;
  const endsAt = performance.now() + seconds * 1_000;
  const clients = await Promise.all(
    Array.from({ length: 32 }, async () => {
      const client = new pg.Client(url);
      await client.connect();
      return client;
    }),
  );
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < endsAt) {
        const serial = randomInt(2 ** 40);
        await client.query({ name: "authorize", text: authorize.text, values: bindValues(authorize, []) });
        const values = bindValues(write, [
          [toUserId(SAMPLE), toUserId(serial % users)],
          [toPhoneNumber(SAMPLE), toPhoneNumber(serial)],
          [`user-${SAMPLE}`, `bare-${serial}`],
          [newId ?? "no id is made", randomUUIDv7()],
        ]);
        await client.query({ name: "write", text: write.text, values });
        calls += 1;
      }
      await client.end();
    }),
  );
  return calls / seconds;
}

/** The two statements of an operation for pgbench, with a separate user and number for each client. */
function toPgbenchScript({ authorize, write, newId }: CapturedOperation, users: number): string {
  const user = `('00000000-0000-7000-8000-' || lpad((:n)::text, 12, '0'))`;
  const replacements: [string, string][] = [
    [toUserId(SAMPLE), user],
    [toPhoneNumber(SAMPLE), `('+4179' || lpad((:r)::text, 7, '0'))`],
    [`user-${SAMPLE}@example.com`, `('user-' || (:r)::text || '@example.com')`],
    [`user-${SAMPLE}`, `('bench-' || (:r)::text || '-' || (:s)::text)`],
    ...(newId === undefined
      ? []
      : [
          [
            newId,
            `(lpad(to_hex((:r)::bigint), 8, '0') || '-0000-7000-8000-' || lpad(to_hex((:s)::bigint), 12, '0'))`,
          ] as [string, string],
        ]),
  ];
  return [
    `\\set n random(0, ${users - 1})`,
    "\\set r random(0, 2000000000)",
    "\\set s random(0, 2000000000)",
    `${inline(authorize, [])};`,
    `${inline(write, replacements)};`,
  ].join("\n");
}

/**
 * The text with its parameters filled in. Values that differ between calls become expressions with pgbench variables.
 */
function inline({ text, values }: CapturedStatement, replacements: [string, string][]): string {
  return text.replaceAll("\n", " ").replace(/\$(\d+)/g, (_match, number) => {
    const value = values[Number(number) - 1];
    if (value === null || value === undefined) return "null";
    if (Buffer.isBuffer(value)) return `'\\x${value.toString("hex")}'`;
    if (value instanceof Date) return `'${value.toISOString()}'`;
    // pgbench treats a colon before a letter as a variable.
    const quoted = `'${String(value).replaceAll("'", "''").replaceAll('":', '": ')}'`;
    return `(${replacements.reduce((text, [from, to]) => text.replaceAll(from, `' || ${to} || '`), quoted)})`;
  });
}
