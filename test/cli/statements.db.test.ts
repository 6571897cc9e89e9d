import { createHash, randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createPerson, type Page } from "../support/browsers/person.ts";
import { createCaller, type Outcome } from "../support/clients/callers.ts";
import { human as humanOf } from "../support/clients/send.ts";
import { startPostgres, type TestPostgres } from "../support/databases/postgres.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";

/** Users with the same verified address do not share a statement. */
const human = (name: string) => humanOf(name, `${name}@example.com`);

const PUBLIC_URL = "http://localhost:8080";
const REDIRECT_URI = "https://app.example.com/callback";
const PASSWORD = "analytical engine no. 1";

const processes = createProcesses();
let postgres: TestPostgres;
let client: pg.Client;
let folder: string;
let server: TestServer;
let caller: ReturnType<typeof createCaller>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "signet-socket-"));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o777);
  postgres = await startPostgres([
    "-k",
    folder,
    "-c",
    "fsync=off",
    "-c",
    "shared_preload_libraries=pg_stat_statements",
  ]);
  const url = new URL(postgres.urlOf("postgres"));
  client = new pg.Client(url.href);
  await client.connect();
  await client.query("create extension pg_stat_statements");
  server = await processes.serve({
    // Through the Unix socket.
    DATABASE_URL: `postgres://${url.username}:${url.password}@/postgres?host=${folder}&port=${url.port}`,
    DATA_DIR: join(processes.root, "data"),
    PUBLIC_URL,
    MASTER_KEY: Buffer.alloc(32, 6).toString("base64"),
    PASSKEY_OFFER: "never",
    BCRYPT_COST: "4",
  });
  const token = readToken(join(processes.root, "data", "admin.token"));
  caller = createCaller("grpc", { origin: server.origin, responses: [] }, token);
  // The first call opens a connection.
  await caller.call("ImportHumanUser", human("first") as never);
});
afterAll(async () => {
  caller.close();
  await processes.close();
  await client.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** How often PostgreSQL ran the statements of callers and of users while `run` ran. */
async function countStatements(run: () => Promise<unknown>): Promise<{ lookUps: number; writes: number }> {
  const count = await countCalls(run);
  return { lookUps: count(/as "holder"/), writes: count(/(insert into|update) "?users"?[ (]/) };
}

const ONE = { lookUps: 0, writes: 1 };
/** Statements for 128 calls. On a busy machine, a process runs for a few milliseconds at a time, and gets a few calls in each. */
const FEW = 128 / 3;

/** Returns how often PostgreSQL ran statements that match while `run` ran. */
async function countCalls(run: () => Promise<unknown>): Promise<(pattern: RegExp) => number> {
  await client.query("select pg_stat_statements_reset()");
  await run();
  const { rows } = await client.query<{ query: string; calls: string }>("select query, calls from pg_stat_statements");
  return (pattern) =>
    rows.filter(({ query }) => pattern.test(query)).reduce((sum, { calls }) => sum + Number(calls), 0);
}

test("the server is connected through the Unix socket that DATABASE_URL names", async () => {
  const { rows } = await client.query(
    "select distinct client_addr, client_port from pg_stat_activity where application_name = 'signet'",
  );
  expect(rows).toEqual([{ client_addr: null, client_port: -1 }]);
});

test("a single call is one statement, except the first one, which looks up its token", async () => {
  const imported = await caller.call("ImportHumanUser", human("alone") as never);
  if (!imported.ok) throw new Error(imported.message);
  const { userId } = imported.message;
  const change = { userId, phone: "+41791234567", isPhoneVerified: true };
  expect(await countStatements(() => caller.call("UpdateHumanPhone", change as never))).toEqual(ONE);
  expect(await countStatements(() => caller.call("ImportHumanUser", human("next") as never))).toEqual(ONE);
  // A header that names another organization makes it another caller.
  const { rows } = await client.query<{ org_id: string }>("select org_id from tokens");
  const first = () =>
    caller.call("ImportHumanUser", human("again") as never, { "x-service-orgid": rows[0]?.org_id ?? "" });
  expect(await countStatements(first)).toEqual({ lookUps: 1, writes: 1 });
});

test("128 calls share a few statements, even if a tenth of the names is taken", async () => {
  const names = Array.from({ length: 128 }, (_, number) => (number % 10 === 9 ? "first" : `user-${number}`));
  let taken = 0;
  let repeated = 0;
  /** On a busy machine, some wait too long, and write nothing. */
  const importOne = async (name: string): Promise<Outcome> => {
    const outcome = await caller.call("ImportHumanUser", human(name) as never);
    if (outcome.ok || outcome.reason !== "UNAVAILABLE") return outcome;
    repeated += 1;
    return importOne(name);
  };
  const counts = await countStatements(async () => {
    const outcomes = await Promise.all(names.map(importOne));
    taken = outcomes.filter((outcome) => !outcome.ok && outcome.reason === "USER_NAME_TAKEN").length;
  });
  expect(taken).toBe(12);
  // Commands with the taken name run one after another.
  expect(counts.writes).toBeLessThanOrEqual(12 + FEW + repeated);
  // A remembered caller gets an error only after another look-up of the token.
  expect(counts.lookUps).toBeLessThanOrEqual(12 + repeated);
  const more = await countStatements(() =>
    Promise.all(names.map((_, number) => caller.call("ImportHumanUser", human(`more-${number}`) as never))),
  );
  expect(more.writes).toBeLessThanOrEqual(FEW);
});

test("a sign-in with a password is 22 statements, and one by the session 13", async () => {
  await caller.call("ImportHumanUser", { ...human("ada"), password: PASSWORD } as never);
  const app = await caller.call("AddOIDCApp", { name: "Notes", redirectUris: [REDIRECT_URI] } as never);
  if (!app.ok) throw new Error(app.message);
  const { clientId, clientSecret } = app.message as { clientId: string; clientSecret: string };
  const person = createPerson({ origin: server.origin, config: { publicUrl: PUBLIC_URL }, responses: [] });
  const verifier = randomBytes(32).toString("base64url");
  const request = new URL("/oauth/v2/authorize", PUBLIC_URL);
  request.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();

  async function redeem({ url }: Page): Promise<void> {
    const response = await fetch(`${server.origin}/oauth/v2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: url.searchParams.get("code") ?? "",
        code_verifier: verifier,
        redirect_uri: REDIRECT_URI,
      }),
    });
    expect(await response.json()).toHaveProperty("id_token");
  }

  const byPassword = await countCalls(async () =>
    redeem(await person.submit(await person.open(request), { username: "ada", password: PASSWORD })),
  );
  expect(byPassword(SIGN_IN_TABLES)).toBe(22);
  const bySession = await countCalls(async () => redeem(await person.open(request)));
  expect(bySession(SIGN_IN_TABLES)).toBe(13);
});

/** Not the statements that look for webhooks, removed organizations and a branding from time to time. */
const SIGN_IN_TABLES =
  /^(?!.*\b(webhooks|removal_due_at|registered_name)\b).*\b(oidc_artifacts|apps|orgs|users|rate_limits)\b/s;
