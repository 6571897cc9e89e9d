import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { connect } from "../../src/database/connection.ts";
import { embeddedAddress } from "../../src/database/embedded.ts";
import { DATABASE_KINDS, type DatabaseKind } from "../support/database.ts";
import {
  type Answer,
  createEmptyDatabase,
  createProcesses,
  type EmptyDatabase,
  type Ended,
  human,
  IMPORT_PATH,
  readToken,
  send,
  type TestServer,
} from "../support/process.ts";

const processes = createProcesses();
const databases: EmptyDatabase[] = [];
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TOKEN = /^signet_pat_[0-9A-Za-z]{43}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const IDP = { name: "Corp", clientId: "c", clientSecret: "commands-client-secret", issuer: "https://idp.example.com" };
processes.secret(IDP.clientSecret);

afterAll(async () => {
  await processes.close();
  for (const database of databases) await database.drop();
});

async function createVariables(kind: DatabaseKind): Promise<Record<string, string>> {
  if (kind === "embedded") return { DATA_DIR: processes.dataDir("commands") };
  const database = await createEmptyDatabase();
  databases.push(database);
  return {
    DATABASE_URL: database.url,
    DATA_DIR: join(processes.root, "commands-on-postgres"),
    PUBLIC_URL: "http://localhost:8080",
    MASTER_KEY: processes.secret(Buffer.alloc(32, 5).toString("base64")),
  };
}

describe.each(DATABASE_KINDS)("beside a server on %s", (kind) => {
  let variables: Record<string, string>;
  let server: TestServer;
  let adminToken: string;

  beforeAll(async () => {
    variables = await createVariables(kind);
    server = await processes.serve(variables);
    adminToken = readToken(join(variables.DATA_DIR ?? "", "admin.token"));
  });

  const signet = (...args: string[]): Promise<Ended> =>
    processes.run(args, variables, { mayPrintToken: args[0] === "token" && args[1] === "create" });

  /** Runs a command that succeeds, and gives the one JSON value that it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is in it
  async function json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await signet(...args, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    return JSON.parse(stdout);
  }

  async function expectFailure(args: string[], line: string | RegExp): Promise<void> {
    const { code, stdout, stderr } = await signet(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    if (typeof line === "string") expect(stderr).toBe(`signet: ${line}\n`);
    else expect(stderr).toMatch(line);
  }

  let names = 0;
  const importUser = (token: string, orgId?: string): Promise<Answer> =>
    send(server.origin, "POST", IMPORT_PATH, {
      token,
      body: human(`user-${++names}`),
      ...(orgId && { headers: { "x-service-orgid": orgId } }),
    });
  const addOrgIdp = (token: string) => send(server.origin, "POST", "/management/v1/idps/oidc", { token, body: IDP });
  const addIdp = (token: string) => send(server.origin, "POST", "/admin/v1/idps/oidc", { token, body: IDP });
  const refused = { status: 401, body: { details: [expect.objectContaining({ reason: "TOKEN_INVALID" })] } };
  const forbidden = { status: 403, body: { details: [expect.objectContaining({ reason: "PERMISSION_DENIED" })] } };

  test("an organization is created, listed and refused a second time", async () => {
    const created = await signet("org", "create", " Acme ");
    expect(created).toMatchObject({ code: 0, stderr: "" });
    const id = created.stdout.trim();
    expect(id).toMatch(ID);
    expect(await json("org", "list")).toEqual([
      { id: expect.stringMatching(ID), name: "default", createdAt: expect.stringMatching(TIME) },
      { id, name: "Acme", createdAt: expect.stringMatching(TIME) },
    ]);
    const { stdout } = await signet("org", "list");
    expect(stdout.split("\n").map((line) => line.split(/ +/).slice(0, 2))).toEqual([
      ["ID", "NAME"],
      [expect.stringMatching(ID), "default"],
      [id, "Acme"],
      [""],
    ]);
    await expectFailure(["org", "create", "ACME"], "name: is taken");
    await expectFailure(["org", "create", " "], "name: must not be empty");
    await expectFailure(["org", "create", "a\u200bb"], /^signet: name: must not contain U\+200B: /);
    expect(await importUser(adminToken, id)).toMatchObject({ status: 200, body: { details: { resourceOwner: id } } });
  });

  test("a token of a new machine user with an instance role works at once in every organization", async () => {
    const { id: orgId, name } = await json("org", "create", "Everywhere");
    expect(name).toBe("Everywhere");
    const { code, stdout, stderr } = await signet("token", "create", "importer", "--role", "INSTANCE_USER_MANAGER");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const token = stdout.trim();
    expect(token).toMatch(TOKEN);
    expect(await importUser(token)).toMatchObject({ status: 200 });
    expect(await importUser(token, orgId)).toMatchObject({ status: 200, body: { details: { resourceOwner: orgId } } });
    expect(await addIdp(token)).toMatchObject(forbidden);
  });

  test("an existing machine user gets a second token and a further role, in its own organization or another", async () => {
    const { id: ownId } = await json("org", "create", "Own");
    const { id: otherId } = await json("org", "create", "Other");
    const first = await json("token", "create", "robot", "--org", "own", "--role", "ORG_USER_MANAGER");
    expect(first).toEqual({
      id: expect.stringMatching(ID),
      token: expect.stringMatching(TOKEN),
      userId: expect.stringMatching(ID),
      orgId: ownId,
      expiresAt: null,
    });
    expect(await importUser(first.token)).toMatchObject({ status: 200, body: { details: { resourceOwner: ownId } } });
    expect(await importUser(first.token, otherId)).toMatchObject(forbidden);
    expect(await addOrgIdp(first.token)).toMatchObject(forbidden);

    const second = await json("token", "create", "ROBOT", "--org", ownId, "--role", "ORG_OWNER", "--in", "Other");
    expect(second).toMatchObject({ userId: first.userId, orgId: ownId });
    expect(second.token).not.toBe(first.token);
    // A role is the user's, so it holds for the first token as well.
    expect(await importUser(first.token, otherId)).toMatchObject({ status: 200 });
    expect(await addOrgIdp(second.token)).toMatchObject(forbidden);
  });

  test("a token without a role is known and may do nothing", async () => {
    const { token } = await json("token", "create", "nobody");
    expect(await importUser(token)).toMatchObject(forbidden);
  });

  test("a token is refused once it was revoked, and another one of the same user is not", async () => {
    const [first, second] = [
      await json("token", "create", "revoked", "--role", "ORG_USER_MANAGER"),
      await json("token", "create", "revoked"),
    ];
    expect(await importUser(first.token)).toMatchObject({ status: 200 });
    expect(await signet("token", "revoke", first.id)).toMatchObject({ code: 0, stdout: `revoked ${first.id}\n` });
    expect(await importUser(first.token)).toMatchObject(refused);
    expect(await importUser(second.token)).toMatchObject({ status: 200 });
    expect(await json("token", "revoke", first.id)).toEqual({ id: first.id });
    const list = await json("token", "list");
    expect(list.find(({ id }: { id: string }) => id === first.id)).toEqual({
      id: first.id,
      lastFour: first.token.slice(-4),
      user: "revoked",
      org: "default",
      createdAt: expect.stringMatching(TIME),
      expiresAt: null,
      revokedAt: expect.stringMatching(TIME),
    });
    expect(list.find(({ id }: { id: string }) => id === second.id)).toMatchObject({ revokedAt: null });
    const unknown = "01a1fe2a-bf96-7fcb-9fb0-7912da3b4f57";
    await expectFailure(["token", "revoke", unknown], `no token has the id "${unknown}"`);
    await expectFailure(["token", "revoke", "x"], 'no token has the id "x"');
  });

  test("a token is refused once its days are over", async () => {
    const before = Date.now();
    const { id, token, expiresAt } = await json(
      "token",
      "create",
      "brief",
      "--role",
      "ORG_USER_MANAGER",
      "--days",
      "2",
    );
    expect(Math.abs(Date.parse(expiresAt) - before - 2 * 86_400_000)).toBeLessThan(60_000);
    expect(await importUser(token)).toMatchObject({ status: 200 });
    const address =
      variables.DATABASE_URL === undefined
        ? { socketDir: embeddedAddress(variables.DATA_DIR ?? "") }
        : { url: variables.DATABASE_URL };
    const db = connect(address, 1, () => {});
    await db
      .updateTable("tokens")
      .set({ expires_at: new Date(Date.now() - 1) })
      .where("id", "=", id)
      .execute();
    await db.destroy();
    expect(await importUser(token)).toMatchObject(refused);
  });

  test("the list of tokens shows none of them", async () => {
    const { stdout } = await signet("token", "list");
    expect(stdout).toMatch(/^ID +TOKEN +USER +ORG +CREATED +EXPIRES +REVOKED\n/);
    expect(stdout).toContain(`…${adminToken.slice(-4)}`);
    expect(stdout).not.toContain("signet_pat_");
  });

  test("what cannot be done is one line, and changes nothing", async () => {
    const before = { tokens: await json("token", "list"), orgs: await json("org", "list") };
    const create = ["token", "create", "fails"];
    await expectFailure([...create, "--org", "nowhere"], 'no organization has the id or name "nowhere"');
    await expectFailure(
      [...create, "--role", "ORG_OWNER", "--in", "nowhere"],
      /^signet: no organization .*"nowhere"\n$/,
    );
    await expectFailure(
      [...create, "--role", "INSTANCE_OWNER", "--in", "default"],
      "--in cannot be used with INSTANCE_OWNER, which applies to the whole instance",
    );
    await expectFailure([...create, "--in", "default"], "--in requires --role");
    await expectFailure(["token", "create", " "], /^signet: userName: .*\n$/);
    expect((await importUser(adminToken)).status).toBe(200);
    await expectFailure(["token", "create", `user-${names}`], "userName: is the name of a human user");
    expect({ tokens: await json("token", "list"), orgs: await json("org", "list") }).toEqual(before);
  });

  test("`migrate` finds nothing to do, and `keys rotate` nothing to encrypt", async () => {
    expect(await signet("migrate")).toMatchObject({ code: 0, stdout: "no pending migrations\n", stderr: "" });
    expect(await json("migrate")).toEqual({ ran: [] });
    expect(await json("keys", "rotate")).toEqual({
      currentKey: expect.stringMatching(/^[0-9a-f]{16}$/),
      rewritten: 0,
      stillNeeded: [],
    });
    const { stdout } = await signet("keys", "rotate");
    expect(stdout).toMatch(/^re-encrypted 0 secrets with key [0-9a-f]{16}\nno older key is in use\n$/);
  });

  test("every command works as well while no server runs, and the next server knows what it did", async () => {
    expect(await server.stop()).toMatchObject({ code: 0 });
    const { id: orgId } = await json("org", "create", "Offline");
    const { id, token } = await json("token", "create", "offline", "--org", "Offline", "--role", "ORG_USER_MANAGER");
    const other = await json("token", "create", "offline", "--org", "Offline");
    await json("token", "revoke", other.id);
    const list = await json("token", "list");
    expect(list.map((row: { id: string }) => row.id)).toEqual(expect.arrayContaining([id, other.id]));
    expect(await json("migrate")).toEqual({ ran: [] });
    expect(await json("keys", "rotate")).toMatchObject({ rewritten: 0 });
    server = await processes.serve(variables);
    expect(await importUser(token)).toMatchObject({ status: 200, body: { details: { resourceOwner: orgId } } });
    expect(await importUser(other.token)).toMatchObject(refused);
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});

describe("before the first start", () => {
  const COMMANDS = [
    ["org", "list"],
    ["org", "create", "x"],
    ["token", "list"],
    ["token", "create", "x"],
    ["token", "revoke", "x"],
    ["keys", "rotate"],
  ];

  test("a command makes nothing in a folder that is empty, and says what to do", async () => {
    const DATA_DIR = join(processes.root, "not-yet");
    const outcomes = await Promise.all(COMMANDS.map((args) => processes.run(args, { DATA_DIR })));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `signet: DATA_DIR is invalid: expected a folder with a database, got "${DATA_DIR}"; run \`signet serve\` once to create the instance\n`,
      });
    }
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test("on PostgreSQL, a command says what to do, before and after `migrate`", async () => {
    const database = await createEmptyDatabase();
    databases.push(database);
    const variables = {
      DATABASE_URL: database.url,
      DATA_DIR: join(processes.root, "not-yet-on-postgres"),
      PUBLIC_URL: "http://localhost:8080",
      MASTER_KEY: Buffer.alloc(32, 5).toString("base64"),
    };
    const expectRefusal = async (reason: string) => {
      const outcomes = await Promise.all(COMMANDS.slice(0, 4).map((args) => processes.run(args, variables)));
      for (const { code, stdout, stderr } of outcomes) {
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
        expect(stderr).toBe(`signet: ${reason}; run \`signet serve\` once to create the instance\n`);
      }
    };
    await expectRefusal("the database is empty");
    const fresh = await processes.run(["migrate", "--json"], variables);
    expect(fresh).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(fresh.stdout).ran[0]).toBe("0001-first-tables");
    expect(await processes.run(["migrate"], variables)).toMatchObject({ code: 0, stdout: "no pending migrations\n" });
    await expectRefusal("the database contains no instance");
    const server = await processes.serve(variables);
    expect(await processes.run(["org", "list"], variables)).toMatchObject({ code: 0 });
    expect(await server.stop()).toMatchObject({ code: 0 });
  });

  test("`migrate` makes the embedded database in a folder that is not there", async () => {
    const DATA_DIR = join(processes.root, "fresh");
    const { code, stdout, stderr } = await processes.run(["migrate"], { DATA_DIR });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^0001-first-tables\n/);
    rmSync(DATA_DIR, { recursive: true });
  });

  test("a database out of reach is one line that shows no password", async () => {
    const variables = {
      DATABASE_URL: `postgres://signet:${processes.secret("geheim-9")}@127.0.0.1:1/signet`,
      PUBLIC_URL: "http://localhost:8080",
      MASTER_KEY: Buffer.alloc(32, 5).toString("base64"),
    };
    const outcome = await processes.run(["org", "list"], variables);
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toBe("signet: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n");
  });
});

describe("the usage", () => {
  const COMMANDS = [
    ...["", "serve", "migrate", "org", "org create", "org list", "token", "token create", "token list"],
    ...["token revoke", "keys", "keys rotate"],
  ];

  test("is told by --help of every command", async () => {
    const outcomes = await Promise.all(
      COMMANDS.map((command) => processes.run([...command.split(" ").filter(Boolean), "--help"])),
    );
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: signet ${COMMANDS[index] ?? ""}`));
    }
    const { stdout } = await processes.run(["--version"]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("is what a wrong one is answered with, and exit code 2", async () => {
    const wrong: [string[], RegExp][] = [
      [[], /^Usage: signet /],
      [["org"], /^Usage: signet org /],
      [["start"], /^error: unknown command 'start'/],
      [["org", "delete"], /^error: unknown command 'delete'/],
      [["org", "create"], /^error: missing required argument 'name'/],
      [["org", "create", "two", "words"], /^error: too many arguments/],
      [["org", "list", "--yaml"], /^error: unknown option '--yaml'/],
      [["token", "create"], /^error: missing required argument 'user'/],
      [
        ["token", "create", "x", "--role", "ROOT"],
        /^error: option '--role <role>' argument 'ROOT' is invalid. Allowed choices are INSTANCE_OWNER, /,
      ],
      ...["0", "-1", "1.5", "soon", "36501"].map((days): [string[], RegExp] => [
        ["token", "create", "x", `--days=${days}`],
        /^error: option '--days <days>' argument '.*' is invalid. Expected an integer from 1 to 36500/,
      ]),
      [["token", "create", "x", "--days"], /^error: option '--days <days>' argument missing/],
      [["token", "revoke"], /^error: missing required argument 'id'/],
    ];
    const outcomes = await Promise.all(wrong.map(([args]) => processes.run(args)));
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ args: wrong[index]?.[0], code, stdout }).toEqual({ args: wrong[index]?.[0], code: 2, stdout: "" });
      expect(stderr).toMatch(wrong[index]?.[1] ?? /./);
    }
  });
});
