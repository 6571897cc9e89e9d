import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, connect } from "../../src/database/connection.ts";
import { human, IMPORT_PATH, send, type TestResponse } from "../support/clients/send.ts";
import { createProcesses, type Installation, onPostgres } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import type { TestService } from "../support/servers/service.ts";
import { createSignetCommands, type SignetCommands } from "./signet-commands.ts";

const processes = createProcesses();
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TOKEN = /^signet_pat_[0-9A-Za-z]{43}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const IDP = { name: "Corp", clientId: "c", clientSecret: "commands-client-secret", issuer: "https://idp.example.com" };
processes.secret(IDP.clientSecret);

afterAll(() => processes.close());

describe("while a server runs on PostgreSQL", () => {
  let installation: Installation;
  let service: TestService;
  let adminToken: string;
  let address: Address;
  let signet: SignetCommands["signet"];
  let json: SignetCommands["json"];
  let expectFailure: SignetCommands["expectFailure"];

  beforeAll(async () => {
    installation = await processes.createInstallation("commands");
    address = installation.address;
    ({ signet, json, expectFailure } = createSignetCommands(processes.runHere, installation.variables));
    service = await serveHere(installation);
    adminToken = service.adminToken;
  });

  let names = 0;
  const importUser = (token: string, orgId?: string): Promise<TestResponse> =>
    send(service.origin, "POST", IMPORT_PATH, {
      token,
      body: human(`user-${++names}`),
      ...(orgId && { headers: { "x-service-orgid": orgId } }),
    });
  const addOrgIdp = (token: string) => send(service.origin, "POST", "/management/v1/idps/oidc", { token, body: IDP });
  const addIdp = (token: string) => send(service.origin, "POST", "/admin/v1/idps/oidc", { token, body: IDP });
  const refused = { status: 401, body: { details: [expect.objectContaining({ reason: "TOKEN_INVALID" })] } };
  const forbidden = { status: 403, body: { details: [expect.objectContaining({ reason: "PERMISSION_DENIED" })] } };

  test("`org create` adds an organization and fails for a name that is taken; `org list` lists it", async () => {
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
    await expectFailure(["org", "create", "ACME"], "name: is taken (ORG_NAME_TAKEN)");
    await expectFailure(["org", "create", " "], "name: must not be empty (INVALID_ARGUMENT)");
    await expectFailure(["org", "create", "a\u200bb"], /^signet: name: must not contain U\+200B: /);
    expect(await importUser(adminToken, id)).toMatchObject({ status: 200, body: { details: { resourceOwner: id } } });
  });

  test("`otp list` lists the users with one-time codes, and those whose imported otpCode is not a secret", async () => {
    const usable = processes.secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    const unusable = processes.secret("no-secret-of-one-time-codes");
    const ids: string[] = [];
    for (const otpCode of [usable, unusable]) {
      const body = { ...human(`otp-${ids.length}`), otpCode };
      const imported = await send(service.origin, "POST", IMPORT_PATH, { token: adminToken, body });
      ids.push(String((imported.body as { userId: string }).userId));
    }
    const [first, second] = ids.map((userId, index) => ({
      userId,
      userName: `otp-${index}`,
      org: "default",
      usable: index === 0,
    }));
    expect(await json("otp", "list")).toEqual([first, second]);
    expect(await json("otp", "list", "--unusable")).toEqual([second]);
    const { stdout } = await signet("otp", "list", "--unusable");
    expect(stdout.split("\n").map((line) => line.split(/ +/))).toEqual([
      ["ID", "USER", "ORG", "USABLE"],
      [ids[1], "otp-1", "default", "no"],
      [""],
    ]);
    expect(await json("otp", "remove", "OTP-0")).toMatchObject({ userId: ids[0] });
    expect(await json("otp", "list")).toEqual([second]);
    await expectFailure(["otp", "remove", "otp-0"], "the user has no one-time codes");
    await expectFailure(["otp", "remove", "nobody"], /^signet: no user has the id "nobody"/);
  });

  test("`token create` with an instance role creates a machine user whose token works in every organization", async () => {
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

  test("`user erase` removes a user of any organization, and fails for an unknown id", async () => {
    const { id: orgId } = await json("org", "create", "Erased");
    const { body } = await importUser(adminToken, orgId);
    expect(await json("user", "erase", body.userId, "--yes")).toEqual({ id: body.userId, orgId });
    const unknown = "id: no user of the organization has this id (USER_NOT_FOUND)";
    await expectFailure(["user", "erase", body.userId, "--yes"], unknown);
    const owner = await json("token", "create", "owner", "--role", "INSTANCE_OWNER");
    expect(await importUser(owner.token)).toMatchObject({ status: 200 });
    const { code, stdout } = await signet("user", "erase", owner.userId, "--yes");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `erased ${owner.userId}\n` });
    expect(await importUser(owner.token)).toMatchObject(refused);
    const db = connect(address, 1, () => {});
    const events = await db
      .selectFrom("events")
      .select("type")
      .where("aggregate_id", "=", owner.userId)
      .orderBy("sequence")
      .execute();
    expect(events.at(-1)).toEqual({ type: "user.removed" });
    await db.destroy();
  });

  test("`member add` refuses a name that is also the verified address of another user", async () => {
    const { body: owner } = await importUser(adminToken);
    const { body: other } = await importUser(adminToken);
    const name = "ceo@bigcorp.example";
    const db = connect(address, 1, () => {});
    const users = db.updateTable("users");
    await users.set({ email: name, email_verified: true }).where("id", "=", String(owner.userId)).execute();
    await users.set({ user_name: name, user_name_key: name }).where("id", "=", String(other.userId)).execute();
    const add = ["member", "add", name, "--role", "ORG_VIEWER"];
    await expectFailure(add, new RegExp(`^signet: "${name}" is the name of the user ${other.userId}, and is also`));
    await users.set({ email_verified: false }).where("id", "=", String(owner.userId)).execute();
    expect(await json(...add)).toMatchObject({ userId: other.userId });
    await db.destroy();
  });

  test("`member add`, `list` and `remove` manage the roles of users", async () => {
    const { id: orgId } = await json("org", "create", "Members");
    const { id: otherId } = await json("org", "create", "Elsewhere");
    const { body } = await importUser(adminToken, orgId);
    const { userId } = body;
    const userName = `user-${names}`;
    const own = ["--org", "Members"];
    expect(await json("member", "add", userName, ...own, "--role", "ORG_VIEWER")).toEqual({
      userId,
      orgId,
      role: "ORG_VIEWER",
      scopeId: orgId,
      credentials: [],
    });
    expect(await signet("member", "add", userId, "--role", "ORG_OWNER")).toMatchObject({
      code: 0,
      stdout: `${userName} has ORG_OWNER\n`,
    });
    await json("member", "add", userId, "--role", "ORG_VIEWER", "--in", "Elsewhere");
    await json("member", "add", userId, "--role", "INSTANCE_VIEWER");
    const listed = { userId, user: userName, org: "Members", since: expect.stringMatching(TIME) };
    const all = (await json("member", "list")).filter((member: { userId: string }) => member.userId === userId);
    expect(all).toEqual([
      { ...listed, role: "ORG_OWNER", in: "Members" },
      { ...listed, role: "ORG_VIEWER", in: "Members" },
      { ...listed, role: "ORG_VIEWER", in: "Elsewhere" },
      { ...listed, role: "INSTANCE_VIEWER", in: null },
    ]);
    expect(await json("member", "list", "--in", otherId)).toEqual([all[2]]);
    const { stdout } = await signet("member", "list", "--in", "Members");
    expect(stdout).toMatch(/^ID +USER +ORG +ROLE +IN +SINCE\n/);

    await expectFailure(["member", "add", "nobody", ...own, "--role", "ORG_VIEWER"], /no user has the id "nobody"/);
    await expectFailure(
      ["member", "add", userId, "--role", "INSTANCE_OWNER", "--in", "Members"],
      "--in cannot be used with INSTANCE_OWNER, which applies to the whole instance",
    );
    await expectFailure(["member", "remove", userId, "--role", "ORG_USER_MANAGER"], `${userName} has no such role`);
    expect(await json("member", "remove", userName, ...own, "--role", "ORG_VIEWER")).toMatchObject({
      roles: ["ORG_OWNER"],
    });
    expect(await signet("member", "remove", userId)).toMatchObject({ code: 0, stdout: `${userName} has no role\n` });
    await expectFailure(["member", "remove", userId], `${userName} has no such role`);
    await json("member", "remove", userId, "--role", "INSTANCE_VIEWER");
    await json("member", "remove", userId, "--in", "Elsewhere");
    expect(await json("member", "list", "--in", "Members")).toEqual([]);

    const db = connect(address, 1, () => {});
    const events = await db
      .selectFrom("events")
      .select(["type", "payload", "editor_id"])
      .where("aggregate_id", "=", orgId)
      .orderBy("sequence")
      .execute();
    await db.destroy();
    expect(events.slice(1)).toEqual([
      { type: "org.member.added", payload: { userId, userOrgId: orgId, role: "ORG_VIEWER" }, editor_id: null },
      { type: "org.member.added", payload: { userId, userOrgId: orgId, role: "ORG_OWNER" }, editor_id: null },
      { type: "org.member.changed", payload: { userId, roles: ["ORG_OWNER"] }, editor_id: null },
      { type: "org.member.removed", payload: { userId }, editor_id: null },
    ]);
  });

  test("`token create` adds tokens and roles to an existing machine user", async () => {
    const { id: ownId } = await json("org", "create", "Own");
    const { id: otherId } = await json("org", "create", "Other");
    const first = await json("token", "create", "robot", "--org", "own", "--role", "ORG_USER_MANAGER");
    expect(first).toEqual({
      id: expect.stringMatching(ID),
      token: expect.stringMatching(TOKEN),
      userId: expect.stringMatching(ID),
      orgId: ownId,
      expiresAt: null,
      credentials: [],
    });
    expect(await importUser(first.token)).toMatchObject({ status: 200, body: { details: { resourceOwner: ownId } } });
    expect(await importUser(first.token, otherId)).toMatchObject(forbidden);
    expect(await addOrgIdp(first.token)).toMatchObject(forbidden);

    const elsewhere = ["--role", "ORG_OWNER", "--in", "Other"];
    const second = await json("token", "create", "ROBOT", "--org", ownId, ...elsewhere, "--existing-user");
    const placed = { kind: "token", id: first.id, name: first.token.slice(-4), placedBy: null };
    expect(second).toMatchObject({ userId: first.userId, orgId: ownId, credentials: [placed] });
    // Nobody gets a role that the user already has.
    expect(await json("token", "create", "robot", "--org", ownId, ...elsewhere)).toMatchObject({ credentials: [] });
    expect(second.token).not.toBe(first.token);
    // A role belongs to the user, so it applies to the first token too.
    expect(await importUser(first.token, otherId)).toMatchObject({ status: 200 });
    expect(await addOrgIdp(second.token)).toMatchObject(forbidden);
  });

  test("a role for a machine user that somebody else has made requires a flag, and can end its tokens", async () => {
    const manager = await json("token", "create", "manager", "--role", "ORG_USER_MANAGER");
    const place = async (userName: string) => {
      const { body: user } = await send(service.origin, "POST", "/management/v1/users/machine", {
        token: manager.token,
        body: { userName, name: "x" },
      });
      const path = `/management/v1/users/${user.userId}/pats`;
      const { body } = await send(service.origin, "POST", path, { token: manager.token, body: {} });
      return { userId: user.userId, ...body };
    };
    const placed = await place("deploy-x");
    const create = ["token", "create", "deploy-x", "--role", "INSTANCE_OWNER"];
    await expectFailure(create, /^signet: the user deploy-x exists and does not have the role INSTANCE_OWNER/);
    await expectFailure(["token", "create", "deploy-x", "--end-credentials"], "--end-credentials requires --role");
    expect(await addIdp(placed.token)).toMatchObject(forbidden);

    const ended = await signet(...create, "--existing-user", "--end-credentials");
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining(`${placed.tokenId} …`) });
    expect(await addIdp(placed.token)).toMatchObject(refused);
    expect(await addIdp(ended.stdout.trim())).toMatchObject({ status: 200 });

    // Without the option, the command says what has the role too.
    const other = await place("deploy-y");
    const kept = await signet("token", "create", "deploy-y", "--role", "INSTANCE_OWNER", "--existing-user");
    expect(kept.stderr).toMatch(/^deploy-y has credentials that others have placed/);
    expect(kept.stderr).toContain("--end-credentials");
    expect(kept.stderr).toContain(manager.userId);
    expect(await addIdp(other.token)).toMatchObject({ status: 200 });
  });

  test("`member add` shows and ends what others have placed, and keeps what the user has", async () => {
    const manager = await json("token", "create", "manager-2", "--role", "ORG_USER_MANAGER");
    const { body } = await send(service.origin, "POST", "/management/v1/users/human/_import", {
      token: manager.token,
      body: {
        userName: "placed",
        profile: { firstName: "P", lastName: "L" },
        email: { email: "placed@example.com", isEmailVerified: true },
        password: "Secret-of-the-manager-1",
        requestPasswordlessRegistration: true,
      },
    });
    const { userId } = body;
    const by = { placedBy: manager.userId };
    const credentials = [
      { kind: "link", name: "passkey", ...by },
      { kind: "password", ...by },
    ];
    const add = ["member", "add", userId, "--role", "INSTANCE_VIEWER"];
    expect(await json(...add)).toMatchObject({ credentials });
    expect(await json(...add, "--end-credentials")).toMatchObject({ credentials });
    expect(await json(...add)).toMatchObject({ credentials: [] });
    const db = connect(address, 1, () => {});
    const user = await db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
    expect(user).toMatchObject({ password_hash: null, password_changed_at: null });
    const events = await db.selectFrom("events").select("type").where("aggregate_id", "=", userId).execute();
    expect(events.map(({ type }) => type)).toContain("user.human.credentials.ended");
    await db.destroy();
  });

  test("a token without a role has no permission", async () => {
    const { token } = await json("token", "create", "norole");
    expect(await importUser(token)).toMatchObject(forbidden);
  });

  test("`token revoke` revokes one token and no other token of the user", async () => {
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

  test("a token expires after `--days`", async () => {
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
    const db = connect(address, 1, () => {});
    await db
      .updateTable("tokens")
      .set({ expires_at: new Date(Date.now() - 1) })
      .where("id", "=", id)
      .execute();
    await db.destroy();
    expect(await importUser(token)).toMatchObject(refused);
  });

  test("`token list` shows the last four characters of each token only", async () => {
    const { stdout } = await signet("token", "list");
    expect(stdout).toMatch(/^ID +TOKEN +USER +ORG +CREATED +EXPIRES +REVOKED\n/);
    expect(stdout).toContain(`…${adminToken.slice(-4)}`);
    expect(stdout).not.toContain("signet_pat_");
  });

  test("a command that fails prints one line and changes nothing", async () => {
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

  test("`migrate` and `keys rotate` have nothing to do", async () => {
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

  test("every command works while no server runs, and the next server uses the results", async () => {
    await service.close();
    const { id: orgId } = await json("org", "create", "Offline");
    const { id, token } = await json("token", "create", "offline", "--org", "Offline", "--role", "ORG_USER_MANAGER");
    const other = await json("token", "create", "offline", "--org", "Offline");
    await json("token", "revoke", other.id);
    const list = await json("token", "list");
    expect(list.map((row: { id: string }) => row.id)).toEqual(expect.arrayContaining([id, other.id]));
    expect(await json("migrate")).toEqual({ ran: [] });
    expect(await json("keys", "rotate")).toMatchObject({ rewritten: 0 });
    service = await serveHere(installation);
    expect(await importUser(token)).toMatchObject({ status: 200, body: { details: { resourceOwner: orgId } } });
    expect(await importUser(other.token)).toMatchObject(refused);
    await service.close();
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

  test("a command does not create anything in an empty folder, and prints a hint", async () => {
    const DATA_DIR = join(processes.root, "not-yet");
    const outcomes = await Promise.all(COMMANDS.map((args) => processes.runHere(args, { DATA_DIR })));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `signet: DATA_DIR is invalid: expected a folder with a database, got "${DATA_DIR}"; run \`signet serve\` once to create the instance\n`,
      });
    }
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test("on PostgreSQL, a command prints a hint before and after `migrate`", async () => {
    const { url } = await processes.createDatabase();
    const variables = { ...onPostgres(url), DATA_DIR: join(processes.root, "not-yet-on-postgres") };
    const expectRefusal = async (reason: string) => {
      const outcomes = await Promise.all(COMMANDS.slice(0, 2).map((args) => processes.runHere(args, variables)));
      for (const { code, stdout, stderr } of outcomes) {
        expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
        expect(stderr).toBe(`signet: ${reason}; run \`signet serve\` once to create the instance\n`);
      }
    };
    await expectRefusal("the database is empty");
    const fresh = await processes.runHere(["migrate", "--json"], variables);
    expect(fresh).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(fresh.stdout).ran[0]).toBe("0082-tables");
    expect(await processes.runHere(["migrate"], variables)).toMatchObject({
      code: 0,
      stdout: "no pending migrations\n",
    });
    await expectRefusal("the database contains no instance");
    await (await serveHere({ variables, address: { url } })).close();
    expect(await processes.runHere(["org", "list"], variables)).toMatchObject({ code: 0 });
  });

  test("`migrate` creates the embedded database after a process was killed while creating it", async () => {
    const DATA_DIR = join(processes.root, "fresh");
    mkdirSync(join(DATA_DIR, "db.new"), { recursive: true });
    writeFileSync(join(DATA_DIR, "db.new", "PG_VERSION"), "torn");
    const { code, stdout, stderr } = await processes.run(["migrate"], { DATA_DIR });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^0082-tables\n/);
    rmSync(DATA_DIR, { recursive: true });
  });

  test("an unreachable database is reported in one line without the password", async () => {
    const variables = onPostgres(`postgres://signet:${processes.secret("geheim-9")}@127.0.0.1:1/signet`);
    const outcome = await processes.runHere(["org", "list"], variables);
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toBe("signet: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n");
  });
});

describe("the help", () => {
  const COMMANDS = [
    ...["", "serve", "migrate", "org", "org create", "org list", "token", "token create", "token list"],
    ...[
      "token revoke",
      "user",
      "user list",
      "user show",
      "user import-one",
      "user lock",
      "user unlock",
      "user deactivate",
      "user reactivate",
      "user reset-password",
      "user sessions",
      "user erase",
      "member",
      "member add",
      "member list",
      "member remove",
      "password",
      "password check",
      "otp",
      "otp list",
      "otp remove",
      "keys",
      "keys rotate",
    ],
  ];

  test("of every command is printed by --help", async () => {
    const outcomes = await Promise.all(
      COMMANDS.map((command) => processes.runHere([...command.split(" ").filter(Boolean), "--help"])),
    );
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: signet ${COMMANDS[index] ?? ""}`));
    }
    const { stdout } = await processes.run(["--version"]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("is printed for a wrong command line, with exit code 2", async () => {
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
    const outcomes = await Promise.all(wrong.map(([args]) => processes.runHere(args)));
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ args: wrong[index]?.[0], code, stdout }).toEqual({ args: wrong[index]?.[0], code: 2, stdout: "" });
      expect(stderr).toMatch(wrong[index]?.[1] ?? /./);
    }
    const { code, stdout, stderr } = await processes.run(["start"]);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: outcomes[2]?.stderr });
  });
});
