import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";
import { createSignetCommands, type SignetCommands } from "./signet-commands.ts";

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
      { name: "Signet Console", type: "spa", org: null },
      { clientId, name: "Shop", type: "web", org: "default" },
      { clientId: tool.clientId, name: "Tool", type: "native", org: null },
    ]);
    expect(await json("app", "show", clientId)).toMatchObject({ clientId, redirectUris: [redirectUri] });
    expect((await json("app", "secret", clientId, "--yes")).clientSecret).not.toBe(clientSecret);
    expect(await signet("app", "remove", clientId, "--yes")).toMatchObject({
      code: 0,
      stdout: `removed ${clientId}\n`,
    });
    await expectFailure(["app", "show", clientId], `no application has the client id "${clientId}"`);
    await expectFailure(
      ["app", "create", "Shop", "--redirect-uri", "http://shop.example"],
      "redirectUris[0]: must be an https URI; http is allowed in development mode only (INVALID_ARGUMENT)",
    );
  });

  test("applications are changed in parts, and those of the instance can be asked for", async () => {
    const uris = ["--redirect-uri", "https://shop.example/a", "https://shop.example/b"];
    const created = ["app", "create", "Shop", ...uris, "--post-logout-redirect-uri", "https://shop.example/"];
    const logout = ["--back-channel-logout-uri", "https://shop.internal/logout"];
    const { clientId } = await json(...created, ...logout, "--instance", "--api-access");
    const { clientId: other } = await json("app", "create", "Other", "--redirect-uri", "https://other.example/");
    const config = {
      type: "web",
      authMethod: "basic",
      grantTypes: ["authorization_code", "refresh_token"],
      redirectUris: ["https://shop.example/a", "https://shop.example/b"],
      postLogoutRedirectUris: ["https://shop.example/"],
      backChannelLogoutUri: "https://shop.internal/logout",
      devMode: false,
      apiAccess: true,
    };
    expect(await json("app", "show", clientId)).toMatchObject(config);
    expect(await json("app", "show", other)).toMatchObject({ apiAccess: false, backChannelLogoutUri: null });
    const listed = await json("app", "list", "--instance");
    expect(listed).toContainEqual(expect.objectContaining({ clientId, org: null }));
    expect(listed).not.toContainEqual(expect.objectContaining({ clientId: other }));

    const changed = { ...config, redirectUris: ["http://localhost:3000/"], devMode: true, apiAccess: false };
    const changes = ["--redirect-uri", "http://localhost:3000/", "--dev-mode", "--no-api-access"];
    expect(await json("app", "update", clientId, "--instance", ...changes)).toMatchObject({ clientId, ...changed });
    expect(await json("app", "show", clientId)).toMatchObject(changed);
    await json("app", "update", clientId, "--back-channel-logout-uri", "");
    expect(await json("app", "show", clientId)).toMatchObject({ ...changed, backChannelLogoutUri: null });

    await expectFailure(
      ["app", "update", clientId, "--no-dev-mode"],
      "redirectUris[0]: must be an https URI; http is allowed in development mode only (INVALID_ARGUMENT)",
    );
    await expectFailure(
      ["app", "update", other, "--instance", "--api-access"],
      `the application "${other}" belongs to an organization, not to the instance`,
    );
    expect(await json("app", "update", other, "--api-access")).toMatchObject({ apiAccess: true });
    await expectFailure(["app", "update", other], "give at least one option with a change");
    await expectFailure(["app", "update", "none", "--api-access"], 'no application has the client id "none"');
  });

  test("services get a machine user, and another one", async () => {
    const addMachine = async (userName: string) => {
      const body = { userName, name: "Billing" };
      const added = await send(server.origin, "POST", "/management/v1/users/machine", { token: adminToken, body });
      return String((added.body as { userId: string }).userId);
    };
    const [first, second] = [await addMachine("billing-1"), await addMachine("billing-2")];
    const service = ["app", "create", "Billing", "--type", "service"];
    const { clientId, clientSecret } = await json(...service, "--service-user", first);
    expect(clientSecret).toMatch(/^[\w-]{43}$/);
    const shown = { type: "service", authMethod: "basic", grantTypes: ["client_credentials"], redirectUris: [] };
    expect(await json("app", "show", clientId)).toMatchObject({ ...shown, serviceUserId: first });
    expect(await json("app", "update", clientId, "--service-user", second)).toMatchObject({ serviceUserId: second });
    await expectFailure(service, "serviceUserId: is required for OIDC_APP_TYPE_SERVICE (INVALID_ARGUMENT)");
    const rule =
      "serviceUserId: must be the id of a machine user of the organization that owns the application (INVALID_ARGUMENT)";
    await expectFailure([...service, "--service-user", second, "--instance"], rule);
  });

  test("applications have keys instead of a secret, or send their secret in the body", async () => {
    const { kty, crv, x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
    const jwks = JSON.stringify({ keys: [{ kty, crv, x }] });
    const file = join(processes.root, "keys.json");
    writeFileSync(file, jwks);
    const uris = ["--redirect-uri", "https://shop.example/a"];
    const created = await json("app", "create", "Shop", ...uris, "--jwks-file", file);
    expect(created).not.toHaveProperty("clientSecret");
    const { clientId } = created;
    const show = () => json("app", "show", clientId);
    expect(await show()).toMatchObject({ authMethod: "private_key_jwt", jwks, jwksUri: null });
    const jwksUri = "https://shop.example/keys";
    await json("app", "update", clientId, "--jwks-uri", jwksUri);
    expect(await show()).toMatchObject({ authMethod: "private_key_jwt", jwks: null, jwksUri });
    await json("app", "update", clientId, "--api-access");
    expect(await show()).toMatchObject({ authMethod: "private_key_jwt", jwks: null, jwksUri });
    await json("app", "update", clientId, "--auth-method", "post");
    expect(await show()).toMatchObject({ authMethod: "post", jwks: null, jwksUri: null });
    expect(await json("app", "secret", clientId, "--yes")).toMatchObject({ clientSecret: expect.any(String) });
    await json("app", "update", clientId, "--jwks-file", file);
    expect(await show()).toMatchObject({ authMethod: "private_key_jwt", jwks });

    const missing = join(processes.root, "missing.json");
    await expectFailure(
      ["app", "update", clientId, "--jwks-file", missing],
      `--jwks-file: ${missing} cannot be read: ENOENT`,
    );
    writeFileSync(file, JSON.stringify({ keys: [{ kty, crv, x, d: x }] }));
    await expectFailure(
      ["app", "create", "Shop", ...uris, "--jwks-file", file],
      "jwks: keys[0].d must be absent: only public keys are allowed (INVALID_ARGUMENT)",
    );
    const native = ["app", "create", "Tool", "--type", "native", "--redirect-uri", "http://localhost/"];
    await expectFailure(
      [...native, "--jwks-uri", jwksUri],
      "authMethodType: must be OIDC_AUTH_METHOD_TYPE_NONE: the application cannot keep a secret (INVALID_ARGUMENT)",
    );
  });

  test("the commands work while a server runs, which uses their results immediately", async () => {
    const { id: orgId } = await json("org", "create", "Acme");
    expect(await json("org", "list")).toMatchObject([{ name: "default" }, { id: orgId, name: "Acme" }]);
    await expectFailure(["org", "create", "ACME"], "name: is taken (ORG_NAME_TAKEN)");
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
