import { join } from "node:path";
import * as client from "openid-client";
import pg from "pg";
import { createPerson } from "../support/browsers/person.ts";
import { createCaller } from "../support/clients/callers.ts";
import { human } from "../support/clients/send.ts";
import { freePort } from "../support/free-port.ts";
import { startSmtp } from "../support/messages/smtp.ts";
import { createProcesses, onPostgres, readToken } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { checkWrites } from "./check-writes.ts";
import { startLoad } from "./load.ts";
import { hasPgBouncer, startPgBouncer } from "./pgbouncer.ts";

const PASSWORD = "analytical engine no. 1";
const REDIRECT_URI = "https://app.example.com/callback";

const processes = createProcesses();
processes.secret(PASSWORD);
/** Closes everything that a test has started, even after a failure. */
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => processes.close());

const title = "Signet behind PgBouncer";
(hasPgBouncer() ? describe : describe.skip)(hasPgBouncer() ? title : `${title} (skipped: it is not installed)`, () => {
  async function startBouncer(mode: "session" | "transaction", size?: number) {
    const { url } = await processes.createDatabase();
    const bouncer = await startPgBouncer(url, { mode, ...(size && { size }) });
    closers.push(bouncer.stop);
    return { bouncer, direct: url };
  }

  test.each([20, 1])("in transaction mode does not start with named statements, pool size %p", async (size) => {
    const { bouncer } = await startBouncer("transaction", size);
    const { code, stderr } = await processes.runHere(["serve"], onPostgres(bouncer.url));
    expect([code, stderr]).toEqual([
      1,
      "signet: DATABASE_URL leads to a connection pooler that shares sessions between connections (transaction mode): set DATABASE_PREPARED=false, or use a pooler in session mode\n",
    ]);
  });

  // With ten sessions, the 32 connections of two processes share them all the time. In session mode, each one needs a
  // separate session.
  test.each([
    ["transaction", "false", 10],
    ["session", "true", 60],
  ] as const)(
    "in %s mode with DATABASE_PREPARED=%s does everything",
    async (mode, prepared, size) => {
      const { bouncer, direct } = await startBouncer(mode, size);
      const smtp = await startSmtp();
      closers.push(smtp.close);
      const dataDir = join(processes.root, mode);
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const variables = {
        ...onPostgres(bouncer.url),
        DATABASE_PREPARED: prepared,
        DATA_DIR: dataDir,
        PUBLIC_URL: origin,
        PASSKEY_OFFER: "never",
        SMTP_URL: smtp.url,
        EMAIL_FROM: "Signet <no-reply@id.example.com>",
      };
      const migrated = await processes.runHere(["migrate"], variables);
      expect(migrated).toMatchObject({ code: 0, stdout: expect.stringContaining("0082-tables\n") });
      const servers = await Promise.all([
        processes.serve({ ...variables, PORT: String(port) }),
        processes.serve({ ...variables, DATA_DIR: join(processes.root, `${mode}-2`) }),
      ]);
      const token = await findToken([dataDir, join(processes.root, `${mode}-2`)]);

      const load = await startLoad({ origins: servers.map((server) => server.origin), token, inFlight: 32 });
      await load.more(20);
      await load.stop();
      expect([...load.failures]).toEqual([]);
      const checked = await checkWrites(direct, load.acknowledged);
      expect(checked).toMatchObject({ lost: [], partial: [] });

      const imported = load.acknowledged.filter(({ rpc }) => rpc === "ImportHumanUser").length;
      const emails = await smtp.arrivals(imported);
      expect(new Set(emails.map(({ to }) => to)).size).toBe(imported);
      expect(emails).toHaveLength(imported);

      const caller = createCaller("grpc", { origin, responses: [] }, token);
      expect(await caller.call("ImportHumanUser", { ...human("ada"), password: PASSWORD } as never)).toMatchObject({
        ok: true,
      });
      const listed = await caller.call("ListUsers", {
        queries: [{ userNameQuery: { userName: "ADA", method: "TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE" } }],
      } as never);
      expect(listed).toMatchObject({ ok: true, message: { result: [{ userName: "ada" }] } });
      expect(await signIn(origin, caller)).toBe("ada");
      caller.close();

      await until("it is ready", async () => (await fetch(`${origin}/readyz`)).status === 200);
      expect(await processes.runHere(["org", "list", "--json"], variables)).toMatchObject({ code: 0 });
      // No session was left with a lock of the migrations.
      expect(await countLocks(direct)).toBe(0);
      for (const server of servers) expect(await server.stop()).toMatchObject({ code: 0 });
      expect(servers.some((server) => server.stderr().includes("alter role postgres set jit = 'off'"))).toBe(
        mode === "transaction",
      );
    },
    120_000,
  );

  /** The first start of one of the processes has written it. */
  async function findToken(dataDirs: readonly string[]): Promise<string> {
    for (const dataDir of dataDirs) {
      try {
        return readToken(join(dataDir, "admin.token"));
      } catch {}
    }
    throw new Error("no process has written a token");
  }

  /** Signs in with a password over the pages, refreshes the tokens, and returns the user name. */
  async function signIn(origin: string, caller: ReturnType<typeof createCaller>): Promise<unknown> {
    const grants = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
    const app = await caller.call("AddOIDCApp", {
      name: "Notes",
      redirectUris: [REDIRECT_URI],
      grantTypes: grants,
    } as never);
    if (!app.ok) throw new Error(app.message);
    const { clientId, clientSecret } = app.message as { clientId: string; clientSecret: string };
    processes.secret(clientSecret);
    const configuration = await client.discovery(
      new URL(origin),
      clientId,
      undefined,
      client.ClientSecretBasic(clientSecret),
      {
        execute: [client.allowInsecureRequests],
      },
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: REDIRECT_URI,
      scope: "openid profile offline_access",
      prompt: "consent",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const person = createPerson({ origin, config: { publicUrl: origin }, responses: [] });
    const page = await person.open(url);
    const returned = await person.submit(page, { username: "ada", password: PASSWORD });
    const tokens = await client.authorizationCodeGrant(configuration, returned.url, { pkceCodeVerifier });
    const refreshed = await client.refreshTokenGrant(configuration, String(tokens.refresh_token));
    const info = await client.fetchUserInfo(configuration, refreshed.access_token, client.skipSubjectCheck);
    return info.preferred_username;
  }

  async function countLocks(url: string): Promise<number> {
    const database = new pg.Client(url);
    await database.connect();
    const { rows } = await database.query<{ n: number }>(
      "select count(*)::int as n from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    );
    await database.end();
    return rows[0]?.n ?? -1;
  }
});
