import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createProcesses, human, IMPORT_PATH, readToken, send, type TestServer, until } from "../support/process.ts";
import { createSignetCommands, type SignetCommands } from "../support/signet-commands.ts";
import { startSmtp, type TestSmtp } from "../support/smtp.ts";

// test/cli/commands.db.test.ts and test/cli/messages.db.test.ts test all commands on PostgreSQL.
const processes = createProcesses();
afterAll(() => processes.close());

describe("on the embedded database", () => {
  let variables: Record<string, string>;
  let server: TestServer;
  let smtp: TestSmtp;
  let adminToken: string;
  let signet: SignetCommands["signet"];
  let json: SignetCommands["json"];
  let expectFailure: SignetCommands["expectFailure"];
  beforeAll(async () => {
    const installation = await processes.createInstallation("commands", "embedded");
    smtp = await startSmtp();
    variables = { ...installation.variables, SMTP_URL: smtp.url, EMAIL_FROM: "signet@id.example.com" };
    ({ signet, json, expectFailure } = createSignetCommands(processes.runHere, variables));
    server = await processes.serve(variables);
    adminToken = readToken(installation.tokenFile);
  });
  afterAll(() => smtp?.close());

  let names = 0;
  const importUser = (token: string) =>
    send(server.origin, "POST", IMPORT_PATH, { token, body: human(`user-${++names}`) });
  const invalid = { status: 401, body: { details: [expect.objectContaining({ reason: "TOKEN_INVALID" })] } };

  test("applications of an organization and of the instance are created, shown and removed", async () => {
    const redirectUri = "https://shop.example/signed-in";
    const { clientId, clientSecret } = await json("app", "create", "Shop", "--redirect-uri", redirectUri);
    expect(clientSecret).toMatch(/^[\w-]{43}$/);
    const tool = await json(
      "app",
      "create",
      "Tool",
      "--type",
      "native",
      "--instance",
      "--redirect-uri",
      "http://127.0.0.1/",
    );
    expect(tool).not.toHaveProperty("clientSecret");
    expect(await json("app", "list")).toMatchObject([
      { clientId, name: "Shop", type: "web", org: "default" },
      { clientId: tool.clientId, name: "Tool", type: "native", org: null },
    ]);
    expect(await json("app", "show", clientId)).toMatchObject({ clientId, redirectUris: [redirectUri] });
    expect((await json("app", "secret", clientId)).clientSecret).not.toBe(clientSecret);
    expect(await signet("app", "remove", clientId)).toMatchObject({ code: 0, stdout: `removed ${clientId}\n` });
    await expectFailure(["app", "show", clientId], `no application has the client id "${clientId}"`);
    await expectFailure(
      ["app", "create", "Shop", "--redirect-uri", "http://shop.example"],
      "redirectUris[0]: must be an https URI; http is allowed in development mode only",
    );
  });

  test("the commands work while a server runs, which uses their results immediately", async () => {
    const { id: orgId } = await json("org", "create", "Acme");
    expect(await json("org", "list")).toMatchObject([{ name: "default" }, { id: orgId, name: "Acme" }]);
    await expectFailure(["org", "create", "ACME"], "name: is taken");
    const created = await json("token", "create", "robot", "--org", "Acme", "--role", "ORG_USER_MANAGER");
    expect(await importUser(created.token)).toMatchObject({ status: 200, body: { details: { resourceOwner: orgId } } });
    expect(await json("token", "list")).toContainEqual(expect.objectContaining({ id: created.id, revokedAt: null }));
    expect(await signet("token", "revoke", created.id)).toMatchObject({ code: 0, stdout: `revoked ${created.id}\n` });
    expect(await importUser(created.token)).toMatchObject(invalid);
    expect(await importUser(adminToken)).toMatchObject({ status: 200 });
    expect(await json("migrate")).toEqual({ ran: [] });
    expect(await json("keys", "rotate")).toMatchObject({ rewritten: 0, stillNeeded: [] });
  });

  test("a failed message is listed and sent again", async () => {
    smtp.answers.rcpt = (to) => (to.startsWith("grace") ? { code: 550, text: "5.1.1 no such user" } : undefined);
    const body = { ...human("grace"), email: { email: "grace@example.com" } };
    expect(await send(server.origin, "POST", IMPORT_PATH, { token: adminToken, body })).toMatchObject({ status: 200 });
    const failed = await until(
      "the message failed",
      async () => (await json("messages", "list", "--state", "failed"))[0],
    );
    expect(failed).toMatchObject({ recipient: "grace@example.com", lastError: "SMTP: RCPT TO returned 550 5.1.1" });
    expect(await json("messages", "show", failed.id)).toEqual(failed);
    delete smtp.answers.rcpt;
    expect(await json("messages", "retry", failed.id)).toEqual({ id: failed.id });
    await until("the email arrives", () => smtp.arrived.some(({ to }) => to === "grace@example.com"));
  });

  test("a command works while no server runs, and the next server uses its result", async () => {
    expect(await server.stop()).toMatchObject({ code: 0 });
    const { json } = createSignetCommands(processes.run, variables);
    const { token } = await json("token", "create", "offline", "--org", "Acme", "--role", "ORG_USER_MANAGER");
    server = await processes.serve(variables);
    expect(await importUser(token)).toMatchObject({ status: 200 });
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});
