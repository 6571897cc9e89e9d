import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Agent, type ClientRequest, type IncomingMessage, request as sendHttp } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect as connectTcp, createServer, type Server, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { embeddedAddress } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openKeyring } from "../../src/server/keyring.ts";
import { prepareDatabase, withServerDatabase } from "../../src/server/prepare-database.ts";
import { createPerson } from "../support/browsers/person.ts";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import type { EmptyDatabase } from "../support/databases/empty-database.ts";
import { createProcesses, onPostgres, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

/** The address in the command that the start prints is the name of its user. */
const GRACE = "grace@example.com";

/** Processes that start at the same time. */
const RACING = 2;
const processes = createProcesses();
afterAll(() => processes.close());

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

async function isReady({ origin }: TestServer): Promise<boolean> {
  return (await send(origin, "GET", "/readyz")).status === 200;
}

function has(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    try {
      execFileSync(program, ["version"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  }
}

/** A test that needs a program; skipped with a note if the program is missing. */
const testWith = (program: string, title: string, run: () => Promise<void>) =>
  has(program) ? test(title, run) : test.skip(`${title} (skipped: no ${program} here)`, run);

describe("the first start in an empty folder", () => {
  // With a space, as in real folder names.
  const dataDir = join(processes.root, "my data");
  const tokenFile = join(dataDir, "admin.token");
  let server: TestServer;
  beforeAll(async () => {
    server = await processes.serve({ DATA_DIR: dataDir });
  });

  test("prints where the API, the pages, the database and the token are", () => {
    expect(server.stdout()).toContain(`  API        ${server.origin}\n`);
    expect(server.stdout()).toContain(`  Guide      ${server.origin}/docs/guide\n`);
    expect(server.stdout()).toContain(`  Reference  ${server.origin}/docs\n`);
    expect(server.stdout()).toMatch(/^ {2}Accounts {3}http:\/\/localhost:\d+\/ui\/account$/m);
    expect(server.stdout()).toMatch(/^ {2}Console {4}http:\/\/localhost:\d+\/console$/m);
    expect(server.stdout()).toMatch(/^ {2}http:\/\/localhost:\d+\/ui\/first-administrator\?code=\w+\.[\w-]+$/m);
    expect(server.stdout()).toContain("  Database   embedded PostgreSQL in my data/db\n");
    expect(server.stdout()).toContain("  Token      my data/admin.token\n");
    expect(server.origin).toMatch(/^http:\/\/localhost:[1-9]\d+$/);
  });

  test("creates files and folders that only their owner can access", () => {
    const paths = ["", "admin.token", "master.key", "lock", "db", "socket"].map((name) => join(dataDir, name));
    expect(paths.map(modeOf)).toEqual(["700", "600", "600", "600", "700", "700"]);
    expect(readFileSync(tokenFile, "utf8")).toMatch(/^signet_pat_[0-9A-Za-z]{43}\n$/);
    expect(Buffer.from(readFileSync(join(dataDir, "master.key"), "utf8"), "base64")).toHaveLength(32);
    processes.secret(readFileSync(join(dataDir, "master.key"), "utf8").trim());
  });

  testWith("curl", "prints a curl command that works as it is", async () => {
    const command = server.stdout().slice(server.stdout().indexOf("curl "));
    const failing = command.replace("curl", "curl --fail-with-body --silent --show-error");
    const { stdout } = await promisify(execFile)("bash", ["-c", failing], { cwd: processes.root });
    expect(JSON.parse(stdout)).toMatchObject({ userId: expect.any(String), details: { sequence: "2" } });
  });

  test("prints the same user as the README, so that running both commands creates one user and one link", () => {
    const findUser = (text: string) => /^ +-d '(.*)'$/m.exec(text)?.[1];
    expect(findUser(server.stdout())).toBeDefined();
    expect(findUser(server.stdout())).toBe(findUser(readFileSync("README.md", "utf8")));
  });

  test("answers /healthz and /readyz without a token", async () => {
    expect(await send(server.origin, "GET", "/healthz")).toEqual({ status: 200, body: "ok\n" });
    await until("the server is ready", () => isReady(server));
    expect(await send(server.origin, "GET", "/readyz")).toEqual({ status: 200, body: "ok\n" });
  });

  test("does not let a second server use its folder", async () => {
    const second = await processes.runHere(["serve"], { DATA_DIR: dataDir });
    expect(second).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^signet: DATA_DIR is in use: another Signet process \(pid \d+\) has locked ".*"; stop it or .*\n$/,
      ),
    });
    const token = readToken(tokenFile);
    expect(await send(server.origin, "POST", IMPORT_PATH, { token, body: human("after-second", GRACE) })).toMatchObject(
      {
        status: 200,
      },
    );
  });

  test("does not let a second server use its port", async () => {
    const port = new URL(server.origin).port;
    const second = await processes.run(["serve"], {
      ...(await processes.createInstallation("other")).variables,
      PORT: port,
      // Not the warning that this PostgreSQL has no autovacuum.
      LOG_LEVEL: "error",
    });
    expect(second).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `signet: PORT is invalid: port ${port} is already in use on 127.0.0.1\n`,
    });
    await until("the server is ready", () => isReady(server));
  });

  test("exits with 0 on SIGTERM, and the next start keeps all data", async () => {
    const before = { token: readToken(tokenFile), key: readFileSync(join(dataDir, "master.key"), "utf8") };
    const instances = await instanceIds({ socketDir: embeddedAddress(dataDir) });
    const [, publicUrl = ""] = /^ {2}Accounts +(.+)\/ui\/account$/m.exec(server.stdout()) ?? [];
    const stranger = createPerson({ origin: server.origin, config: { publicUrl }, responses: [] });
    const page = await stranger.open("/ui/account");
    expect((await stranger.submit(page, { username: "nobody", password: "wrong" })).status).toBe(422);
    expect(await server.stop()).toMatchObject({ code: 0 });
    server = await processes.serve({ DATA_DIR: dataDir, SHUTDOWN_DELAY_MS: "3600000" }, ["--workers", "1"]);
    // One worker is this process itself.
    expect(server.stderr()).not.toContain('"pid"');
    const after = { token: readToken(tokenFile), key: readFileSync(join(dataDir, "master.key"), "utf8") };
    expect(after).toEqual(before);
    expect(await instanceIds({ socketDir: embeddedAddress(dataDir) })).toEqual(instances);
    const again = await send(server.origin, "POST", IMPORT_PATH, {
      token: before.token,
      body: human("after-second", GRACE),
    });
    expect(again).toMatchObject({ status: 409, body: { code: 6 } });
    const failed = await send(server.origin, "POST", "/management/v1/failed_sign_ins/_count", {
      token: before.token,
      body: {},
    });
    expect(failed.body).toMatchObject({ total: "1" });
  });

  test("with SHUTDOWN_DELAY_MS is not ready but serves after SIGINT, and exits with 0 after a second one", async () => {
    // One from the terminal, and one that npm forwards, which does not count.
    for (let count = 0; count < 2; count++) server.child.kill("SIGINT");
    await until("the server is not ready", async () => !(await isReady(server)));
    const signaledAt = performance.now();
    const health = await send(server.origin, "POST", "/grpc.health.v1.Health/Check", { body: {} });
    expect(health).toEqual({ status: 200, body: { status: "NOT_SERVING" } });
    expect(await send(server.origin, "GET", "/healthz")).toMatchObject({ status: 200 });
    const call = { token: readToken(tokenFile), body: human("while-stopping", GRACE) };
    expect(await send(server.origin, "POST", IMPORT_PATH, call)).toMatchObject({ status: 200 });
    expect(server.stderr()).not.toContain('"draining"');
    await until("a second signal counts", () => performance.now() - signaledAt > 1_100);
    expect(await server.stop("SIGINT")).toMatchObject({ code: 0 });
  });

  test("fails with one line if the database is missing from the data folder, and does not change the folder", async () => {
    await server.stop();
    const token = readToken(tokenFile);
    const database = join(dataDir, "db");
    rmSync(database, { recursive: true });
    mkdirSync(database);
    for (const command of ["serve", "migrate"]) {
      const outcome = await processes.runHere([command], { DATA_DIR: dataDir });
      expect(outcome).toMatchObject({ code: 1, stdout: "" });
      expect(outcome.stderr).toBe(
        `signet: DATA_DIR is invalid: cannot use "${dataDir}" (db.made exists, but its database in the subfolder db is missing: restore it from a backup, or use another folder for a new database)\n`,
      );
    }
    expect(readdirSync(database)).toEqual([]);
    expect(readToken(tokenFile)).toBe(token);
  });
});

async function instanceIds(address: Parameters<typeof connect>[0]): Promise<string[]> {
  const db = connect(address, 1, () => {});
  try {
    return (await db.selectFrom("instance").select("id").execute()).map(({ id }) => id);
  } finally {
    await db.destroy();
  }
}

describe("a stop", () => {
  /** A call that the server has started; `answer` is its status or the connection error. */
  interface Begun {
    readonly answer: Promise<number | string>;
    /** Sends the body. */
    complete(): void;
  }

  /** Starts an import over HTTP/1.1, without its body. Resolves once the server has started the call. */
  async function beginCall(
    origin: string,
    token: string,
  ): Promise<Pick<Begun, "answer"> & { readonly request: ClientRequest }> {
    const request = sendHttp(new URL(IMPORT_PATH, origin), {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", expect: "100-continue" },
    });
    const answer = new Promise<number | string>((resolve) => {
      request.once("response", (response: IncomingMessage) => resolve(response.resume().statusCode ?? 0));
      request.once("error", (error) => resolve(error.message));
    });
    request.flushHeaders();
    await once(request, "continue");
    return { request, answer };
  }

  const withPassword = (userName: string) =>
    JSON.stringify({ ...human(userName), password: processes.secret("correct horse battery") });

  /** The same with a body, which has a password. */
  async function beginImport(origin: string, token: string, userName: string): Promise<Begun> {
    const { request, answer } = await beginCall(origin, token);
    return { answer, complete: () => request.end(withPassword(userName)) };
  }

  /** The same over HTTP/2, where the response to a later call shows that this one has arrived. */
  async function beginImportOverHttp2(session: ClientHttp2Session, token: string, userName: string): Promise<Begun> {
    const stream = session.request({
      ":method": "POST",
      ":path": IMPORT_PATH,
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
    });
    const answer = new Promise<number | string>((resolve) => {
      stream.once("response", (headers) => resolve(headers[":status"] ?? 0));
      stream.once("error", (error) => resolve(error.message));
      stream.once("close", () => resolve("closed"));
      stream.resume();
    });
    const later = session.request({ ":path": "/healthz" });
    const [headers] = await once(later, "response");
    expect(headers[":status"]).toBe(200);
    later.resume();
    return { answer, complete: () => stream.end(withPassword(userName)) };
  }

  test("on SIGTERM finishes the running calls, is not ready, and exits with 0", async () => {
    const { variables, tokenFile } = await processes.createInstallation("draining");
    const server = await processes.serve(variables);
    const token = readToken(tokenFile);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const isReadyOnKeptConnection = () =>
      new Promise<number | string>((resolve) => {
        sendHttp(new URL("/readyz", server.origin), { agent }, (response) => {
          response.resume().once("end", () => resolve(response.statusCode ?? 0));
        })
          .once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
          .end();
      });
    const session = connectHttp2(server.origin);
    expect(await isReadyOnKeptConnection()).toBe(200);
    const begun = [
      await beginImport(server.origin, token, "http1"),
      await beginImportOverHttp2(session, token, "http2"),
    ];
    server.child.kill("SIGTERM");
    await until("the server drains", () => server.stderr().includes('"draining"'));
    expect([503, "ECONNREFUSED", "ECONNRESET", "EPIPE"]).toContain(await isReadyOnKeptConnection());
    await expect(send(server.origin, "GET", "/readyz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    for (const { complete } of begun) complete();
    expect(await Promise.all(begun.map(({ answer }) => answer))).toEqual([200, 200]);
    expect(await server.ended).toMatchObject({ code: 0 });
    // Both had started before the signal, and got their responses after it.
    const [, afterSignal = ""] = server.stderr().split('"draining"');
    expect(afterSignal.match(/ImportHumanUser.*"code":"ok"/g)).toHaveLength(2);
    session.destroy();
    agent.destroy();
  });

  test("is immediate on a second signal after a second", async () => {
    const { variables, tokenFile } = await processes.createInstallation("impatient");
    const server = await processes.serve(variables);
    const { request, answer } = await beginCall(server.origin, readToken(tokenFile));
    request.write("{");
    server.child.kill("SIGTERM");
    await until("the server drains", () => server.stderr().includes('"draining"'));
    expect(server.child.exitCode).toBeNull();
    await until("the server ends", () => !server.child.kill("SIGTERM") || server.child.exitCode !== null);
    expect(await server.ended).toMatchObject({ code: 1 });
    expect(await answer).toBe("socket hang up");
    expect(server.stderr()).not.toContain('"stopped"');
  });
});

describe("a start on PostgreSQL", () => {
  test("fails with one line, without the password of the URL, if nothing listens for a while", async () => {
    const password = processes.secret("geheim-1");
    const url = `postgres://signet:${password}@127.0.0.1:1/signet`;
    const outcome = await processes.run(["serve"], onPostgres(url));
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    const [waiting = "", ...lines] = outcome.stderr.split("\n");
    const problem = "the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1";
    expect(JSON.parse(waiting)).toMatchObject({ level: 40, problem, msg: "waiting for the database" });
    expect(lines).toEqual([`signet: ${problem}`, ""]);
  });

  test("fails with one line if the host has no address", async () => {
    const outcome = await processes.runHere(["serve"], onPostgres("postgres://signet:geheim-1@nowhere.invalid/signet"));
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toMatch(/^signet: the database cannot be reached: getaddrinfo \S+ nowhere\.invalid\n$/);
  });

  test.each([
    ["the password is wrong", "password", "wrong user or password (SQLSTATE 28P01)"],
    ["the database does not exist", "pathname", "no database has this name (SQLSTATE 3D000)"],
  ] as const)("fails with one line if %s", async (_what, part, description) => {
    const { url } = await processes.createDatabase();
    const wrong = new URL(url);
    wrong[part] = processes.secret("geheim-2");
    const outcome = await processes.runHere(["serve"], onPostgres(wrong.href));
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toBe(`signet: cannot use the database at DATABASE_URL: ${description}\n`);
  });

  test("fails with one line if another program has its tables there", async () => {
    const { url } = await processes.createDatabase();
    const db = connect({ url }, 1, () => {});
    await db.schema.createTable("users").addColumn("id", "integer").execute();
    await db.destroy();
    const outcome = await processes.runHere(["serve"], onPostgres(url));
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toBe(
      "signet: cannot use the database at DATABASE_URL: it contains tables of another application (SQLSTATE 42P07)\n",
    );
  });

  test("of two processes at once on an empty database: one creates the instance, both serve", async () => {
    const { url } = await processes.createDatabase();
    const starts = Array.from({ length: RACING }, async (_, number) => {
      const dataDir = join(processes.root, `racing-${number}`);
      return { dataDir, server: await processes.serve({ ...onPostgres(url), DATA_DIR: dataDir }) };
    });
    const servers = await Promise.all(starts);
    expect(await countInstanceRows(url)).toEqual([1, 1, 1, 1, 1, 1]);
    const files = servers.map(({ dataDir }) => join(dataDir, "admin.token")).filter((file) => existsSync(file));
    expect(files).toHaveLength(1);
    const token = readToken(files[0] ?? "");
    for (const [number, { dataDir, server }] of servers.entries()) {
      const answer = await send(server.origin, "POST", IMPORT_PATH, { token, body: human(`racing-${number}`) });
      expect(answer).toMatchObject({ status: 200 });
      const isWinner = existsSync(join(dataDir, "admin.token"));
      expect(
        server.stdout().includes("  Token      not on this machine; create one with `signet token create`\n"),
      ).toBe(!isWinner);
      // With a key and a database from elsewhere, neither is stored in the folder.
      expect(["master.key", "db", "admin.token.new"].filter((name) => existsSync(join(dataDir, name)))).toEqual([]);
    }
    await Promise.all(servers.map(({ server }) => server.stop()));
  });

  test("creates one instance while two wait for the same lock", async () => {
    const { url, name } = await processes.createDatabase();
    const release = await holdInstance(url, name);
    const log = pino({ level: "silent" });
    const starts = Array.from({ length: RACING }, async (_, number) => {
      const config = readConfig({ ...onPostgres(url), DATA_DIR: join(processes.root, `waiting-${number}`) });
      await withServerDatabase(config, log, async (database) => {
        await prepareDatabase(config, database, openKeyring(config), log);
      });
      return existsSync(config.adminTokenFile);
    });
    const [hasToken] = await Promise.all([Promise.all(starts), release()]);
    expect(hasToken.toSorted()).toEqual([false, true]);
    expect(await countInstanceRows(url)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

/** The numbers of rows that the creation of an instance inserts, each into its table. */
async function countInstanceRows(url: string): Promise<number[]> {
  const db = connect({ url }, 1, () => {});
  const counts: number[] = [];
  for (const table of ["instance", "orgs", "users", "tokens", "members", "master_keys"] as const) {
    counts.push((await db.selectFrom(table).selectAll().execute()).length);
  }
  await db.destroy();
  return counts;
}

/**
 * Creates the tables and locks that of the instance.
 *
 * @returns Waits until all starts wait for the lock, then releases it.
 */
async function holdInstance(url: string, database: string): Promise<() => Promise<void>> {
  const db = connect({ url }, 2, () => {});
  await migrate(db);
  // Without the time limits of the service's own connections.
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query("begin; lock table instance in access exclusive mode");
  return async () => {
    await until("all starts wait", async () => {
      const { rows } = await sql<{ n: bigint }>`select count(*) as n from pg_stat_activity
        where datname = ${database} and wait_event_type = 'Lock'`.execute(db);
      return rows[0]?.n === BigInt(RACING);
    });
    await holder.end();
    await db.destroy();
  };
}

describe("a database that becomes unreachable and returns while the server runs", () => {
  let database: EmptyDatabase;
  let network: Network;
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    database = await processes.createDatabase();
    network = await createNetwork(Number(new URL(database.url).port));
    const url = new URL(database.url);
    url.port = String(network.port);
    const dataDir = join(processes.root, "outage");
    server = await processes.serve({ ...onPostgres(url.href), DATA_DIR: dataDir });
    token = readToken(join(dataDir, "admin.token"));
  });
  afterAll(() => network.cut());

  const importOne = (name: string) => send(server.origin, "POST", IMPORT_PATH, { token, body: human(name) });
  const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1s" };
  const unavailable = {
    status: 503,
    body: { code: 14, details: [expect.objectContaining({ reason: "UNAVAILABLE" }), retryInfo] },
  };

  test("makes calls UNAVAILABLE while connections fail, and then they work again", async () => {
    expect(await importOne("before-cut")).toMatchObject({ status: 200 });
    await network.cut();
    await until("the server is not ready", async () => !(await isReady(server)));
    expect(await importOne("during-cut")).toMatchObject(unavailable);
    expect(await send(server.origin, "GET", "/readyz")).toMatchObject({ status: 503 });
    expect(await send(server.origin, "GET", "/healthz")).toMatchObject({ status: 200 });
    await network.restore();
    await until("the server is ready", () => isReady(server));
    expect(await importOne("during-cut")).toMatchObject({ status: 200 });
  });

  test("makes calls UNAVAILABLE while the database refuses connections, and then they work again", async () => {
    await database.outside(`alter database ${database.name} with allow_connections false`);
    await database.outside(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`);
    await until("the server is not ready", async () => !(await isReady(server)));
    expect(await importOne("shut-out")).toMatchObject(unavailable);
    await database.outside(`alter database ${database.name} with allow_connections true`);
    await until("the server is ready", () => isReady(server));
    expect(await importOne("shut-out")).toMatchObject({ status: 200 });
  });

  test("is logged with the number of failures of one kind, one line per second", async () => {
    // Fewer than the number of connections that one address may open.
    const CALLS = 500;
    await network.cut();
    await until("the server is not ready", async () => !(await isReady(server)));
    const logged = server.stderr().length;
    const startedAt = performance.now();
    let begun = 0;
    let failed = 0;
    /** On a busy machine, the server closes a connection that has waited for long, before or after it has served the call. */
    let broken = 0;
    const failOn = async () => {
      while (begun < CALLS) {
        begun += 1;
        const response = await importOne("failing").catch(() => undefined);
        if (response === undefined) {
          broken += 1;
          continue;
        }
        expect(response).toMatchObject({ status: 503 });
        failed += 1;
      }
    };
    await Promise.all(Array.from({ length: 20 }, failOn));
    const errors = () =>
      server
        .stderr()
        .slice(logged)
        .split("\n")
        // The last line may be incomplete.
        .slice(0, -1)
        .filter((line) => line.startsWith('{"level":50'))
        .map((line): { repeated?: number; err?: { stack: string } } => JSON.parse(line));
    expect(failed).toBeGreaterThan(CALLS / 2);
    await until("every failure is counted", () => {
      const counts = errors().map(({ repeated = 1 }) => repeated);
      const counted = counts.reduce((sum, count) => sum + count, 0);
      return counted >= failed && counted <= failed + broken;
    });
    // At most two kinds: a broken connection, and a refused one.
    expect(errors().length).toBeLessThan(2 * (3 + (performance.now() - startedAt) / 1_000));
    expect(errors()[0]?.err?.stack).toMatch(/ECONNREFUSED|terminated/);
    await network.restore();
    await until("the server is ready", () => isReady(server));
  });

  test("stores nothing of the failed calls, and no text of a row is in the log", async () => {
    const db: Database = connect({ url: database.url }, 1, () => {});
    const users = await db
      .selectFrom("users")
      .select("user_name")
      .where("kind", "=", "human")
      .orderBy("user_name")
      .execute();
    await db.destroy();
    expect(users.map(({ user_name }) => user_name)).toEqual(["before-cut", "during-cut", "shut-out"]);
    expect(server.stderr()).not.toMatch(/shut-out|during-cut|ada@example\.com/);
  });

  test("does not keep the process from ending if it does not respond", async () => {
    await until("the server is ready", () => isReady(server));
    network.silence();
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});

interface Network {
  readonly port: number;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** From then on, open connections pass nothing on, not even their end. */
  silence(): void;
}

/** A proxy in front of a port that can be cut. */
async function createNetwork(target: number): Promise<Network> {
  const ends = new Set<Socket>();
  let port = 0;
  let server: Server;
  const listen = async () => {
    server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connectTcp(target, "127.0.0.1");
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        ends.add(from);
        from
          .on("error", () => {})
          .on("close", () => to.destroy())
          .pipe(to);
      }
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  };
  await listen();
  return {
    port,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const end of ends) end.destroy();
      ends.clear();
      await closed;
    },
    restore: listen,
    silence() {
      for (const end of ends) end.unpipe().resume();
    },
  };
}

describe("a start with TLS", () => {
  test("fails with one line if the files cannot be used", async () => {
    const [text, missing] = [join(processes.root, "text.pem"), join(processes.root, "missing.pem")];
    writeFileSync(text, "no certificate");
    const variables = { DATA_DIR: join(processes.root, "no-tls"), TLS_CERT_FILE: text, TLS_KEY_FILE: text };
    const broken = await processes.runHere(["serve"], variables);
    expect(broken).toMatchObject({ code: 1, stdout: "" });
    expect(broken.stderr).toMatch(
      /^signet: TLS_CERT_FILE or TLS_KEY_FILE is invalid: expected .*, got ".*text\.pem" and ".*text\.pem" .*\n$/,
    );
    const absent = await processes.runHere(["serve"], { ...variables, TLS_KEY_FILE: missing });
    expect(absent.stderr).toMatch(/^signet: TLS_KEY_FILE is invalid: cannot read ".*missing\.pem" \(ENOENT.*\)\n$/);
    // The files are read before anything is created.
    expect(existsSync(variables.DATA_DIR)).toBe(false);
  });
});

test.each([
  ["DATA_DIR", "inside/data", /^signet: DATA_DIR is invalid: cannot use ".*\/inside\/data" \(ENOTDIR.*\)\n$/],
  // `/proc` exists, and nothing can be created in it.
  [
    "DATA_DIR",
    "/proc/signet/data",
    /^signet: DATA_DIR is invalid: cannot use "\/proc\/signet\/data" \(E[A-Z]+: .*\)\n$/,
  ],
  [
    "ADMIN_TOKEN_FILE",
    "/proc/signet/token",
    /^signet: ADMIN_TOKEN_FILE is invalid: cannot write "\/proc\/signet\/token" \(E[A-Z]+: .*\)\n$/,
  ],
  [
    "ADMIN_TOKEN_FILE",
    "inside/token",
    /^signet: ADMIN_TOKEN_FILE is invalid: cannot write ".*\/inside\/token" \(E.*\)\n$/,
  ],
])("a %s that cannot be created (%s) makes the start fail with one line", async (name, path, message) => {
  writeFileSync(join(processes.root, "inside"), "a file, not a folder");
  const { url } = await processes.createDatabase();
  const variables = name === "DATA_DIR" ? {} : onPostgres(url);
  const outcome = await processes.runHere(["serve"], { ...variables, [name]: resolve(processes.root, path) });
  expect(outcome).toMatchObject({ code: 1, stdout: "" });
  expect(outcome.stderr).toMatch(message);
});

test("an invalid master key makes the start fail with one line", async () => {
  const DATA_DIR = processes.dataDir("bad-key");
  writeFileSync(join(DATA_DIR, "master.key"), processes.secret("geheim-3"));
  const outcome = await processes.run(["serve"], { DATA_DIR });
  expect(outcome).toMatchObject({ code: 1, stdout: "" });
  expect(outcome.stderr).toBe(`signet: ${join(DATA_DIR, "master.key")} is invalid: expected 32 bytes in base64\n`);
});
