import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { send } from "../support/clients/send.ts";
import { type OtherProviders, startOtherProviders } from "../support/oidc/other-provider.ts";
import { createProcesses, type Ended } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import type { TestService } from "../support/servers/service.ts";

const REDIRECT = "https://shop.example/signed-in";

const processes = createProcesses();
let installation: Awaited<ReturnType<typeof processes.createInstallation>>;
let service: TestService;
let providers: OtherProviders;
let orgId: string;
let acme: string;

beforeAll(async () => {
  providers = await startOtherProviders();
  installation = await processes.createInstallation("on-server");
  service = await serveHere(installation);
  acme = (await onServer("org", "create", "Acme")).stdout.trim();
  const { body } = await send(service.origin, "GET", "/management/v1/orgs/me", { token: service.adminToken });
  orgId = body.org.id;
});
afterAll(async () => {
  await service?.close();
  await processes.close();
  await providers?.close();
});

const here = (...args: string[]) => processes.runHere(args, installation.variables);
const onServer = (...args: string[]): Promise<Ended> =>
  here(...args, "--url", service.origin, "--token-file", installation.tokenFile);

/** Expects success, and the value that the command prints as JSON, on the server or the database. */
// biome-ignore lint/suspicious/noExplicitAny: the tests check what is in it
async function json(run: typeof here, ...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function expectFailure(args: string[], code: number, message: string | RegExp): Promise<void> {
  const outcome = await onServer(...args);
  expect({ args, code: outcome.code, stdout: outcome.stdout }).toEqual({ args, code, stdout: "" });
  if (typeof message === "string") expect(outcome.stderr).toBe(`signet: ${message}\n`);
  else expect(outcome.stderr).toMatch(message);
}

test("a token without a server is an error", async () => {
  const { tokenFile } = installation;
  for (const command of [
    ["app", "list"],
    ["idp", "list"],
    ["webhooks", "list"],
    ["password-hook", "show"],
  ]) {
    expect(await here(...command, "--token-file", tokenFile)).toMatchObject({
      code: 2,
      stderr: "signet: --token-file requires --url or SIGNET_URL\n",
    });
  }
});

describe("`signet app`", () => {
  test("adds, shows, changes and removes an application as on the database", async () => {
    const created = await json(onServer, "app", "create", "Shop", "--redirect-uri", REDIRECT, "--org", "Acme");
    const { clientId, clientSecret } = created;
    expect(created).toEqual({ clientId, clientSecret: expect.stringMatching(/./), ownerId: acme });
    const org = ["--org", acme];
    const shown = await json(onServer, "app", "show", clientId, ...org);
    expect(shown).toEqual(await json(here, "app", "show", clientId));
    expect(shown).toMatchObject({ name: "Shop", type: "web", redirectUris: [REDIRECT], ownerId: acme });
    const [listed] = await json(onServer, "app", "list", ...org);
    const { type, state, name, createdAt, ownerId } = shown;
    expect(listed).toEqual({ clientId, name, type, state, ownerId, createdAt });
    expect(await json(onServer, "app", "list")).toEqual([]);

    await json(
      onServer,
      "app",
      "update",
      clientId,
      "--dev-mode",
      "--back-channel-logout-uri",
      `${REDIRECT}/out`,
      ...org,
    );
    const changed = { devMode: true, backChannelLogoutUri: `${REDIRECT}/out` };
    const { changedAt: _, ...before } = shown;
    expect(await json(here, "app", "show", clientId)).toMatchObject({ ...before, ...changed });
    await json(onServer, "app", "update", clientId, "--jwks-uri", "https://shop.example/keys", ...org);
    expect(await json(here, "app", "show", clientId)).toMatchObject({
      authMethod: "private_key_jwt",
      jwksUri: "https://shop.example/keys",
      ...changed,
    });
    await json(onServer, "app", "update", clientId, "--auth-method", "post", ...org);
    const secret = await json(onServer, "app", "secret", clientId, "--yes", ...org);
    expect(secret).toEqual({ clientId, clientSecret: expect.stringMatching(/./) });
    expect(secret.clientSecret).not.toBe(clientSecret);

    await expectFailure(["app", "remove", clientId, ...org], 2, /there is no terminal to confirm the change/);
    await expectFailure(["app", "secret", clientId, ...org], 2, /there is no terminal to confirm the change/);
    const notFound = "appId: no application of the organization has this id (APP_NOT_FOUND)";
    await expectFailure(["app", "remove", clientId, "--yes"], 1, notFound);
    expect(await json(onServer, "app", "remove", clientId, "--yes", ...org)).toEqual({ clientId });
    await expectFailure(["app", "show", clientId, ...org], 1, notFound);
  });

  test("rejects what only the database has, and what is invalid", async () => {
    const requiresDatabase = "--instance requires the database: unset SIGNET_URL, and leave out --url";
    await expectFailure(["app", "list", "--instance"], 2, requiresDatabase);
    await expectFailure(["app", "create", "X", "--redirect-uri", REDIRECT, "--instance"], 2, requiresDatabase);
    await expectFailure(["app", "create", "X"], 1, /^signet: redirectUris: .*\(INVALID_ARGUMENT\)\n$/);
    await expectFailure(["app", "update", randomUUID()], 1, "give at least one option with a change");
    await expectFailure(["app", "list", "--org", "nowhere"], 1, 'no organization has the id or name "nowhere"');
  });
});

describe("`signet idp`", () => {
  const secretFile = () => {
    const file = join(installation.variables.DATA_DIR ?? "", "secret.txt");
    writeFileSync(file, `${processes.secret("a client secret of the tests")}\n`);
    return file;
  };

  test("adds, lists, shows, changes and checks providers of the instance and of an organization", async () => {
    const issuer = `${providers.origin}/corp`;
    const client = { client_id: "signet", client_secret: "a client secret of the tests", redirect_uris: [REDIRECT] };
    await providers.configure("corp", { clients: [client], account: { sub: "ada" } });
    for (const owner of [[], ["--org", "Acme"]]) {
      const added = await json(
        onServer,
        ...["idp", "add", "oidc", "Corp", "--issuer", issuer, "--client-id", "signet", "--scope", "openid"],
        ...["--client-secret-file", secretFile(), "--auto-creation", ...owner],
      );
      const { id, ownerId } = added;
      expect(added).toEqual({
        id,
        ownerId: expect.any(String),
        callbackUrl: `${service.config.publicUrl}/ui/idps/${id}/callback`,
      });
      if (owner.length > 0) expect(ownerId).toBe(acme);
      const shown = await json(onServer, "idp", "show", id, ...owner);
      expect(await json(here, "idp", "show", id)).toMatchObject(
        Object.fromEntries(Object.entries(shown).filter(([name]) => name !== "kind")),
      );
      expect(shown).toMatchObject({ kind: "oidc", issuer, clientId: "signet", scopes: ["openid"], autoRegister: true });
      expect(await json(onServer, "idp", "list", ...owner)).toContainEqual(
        expect.objectContaining({ id, name: "Corp", kind: "oidc", state: "active", ownerId, issuer }),
      );
      await json(onServer, "idp", "update", id, "--federated-logout", ...owner);
      expect(await json(here, "idp", "show", id)).toMatchObject({ federatedLogoutEnabled: true, autoRegister: true });
      const { code, stdout } = await onServer("idp", "test", id, "--json", ...owner);
      // The server reaches its own machine only for the providers of the instance.
      const [exit, problems, metadata] =
        owner.length === 0 ? [0, [], { issuer }] : [1, [expect.stringMatching(/that is not public$/)], {}];
      expect(code).toBe(exit);
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ id, name: "Corp", problems, metadata },
        callbackUrl: added.callbackUrl,
      });
    }
    const unknown = randomUUID();
    await expectFailure(["idp", "show", unknown], 1, /\(IDP_NOT_FOUND\)\n$/);
    await expectFailure(["idp", "check", unknown, "--org", orgId], 1, /\(IDP_NOT_FOUND\)\n$/);
  });

  test("adds other kinds with their settings, and reports invalid ones like the API", async () => {
    const file = secretFile();
    const client = ["--client-id", "signet", "--client-secret-file", file];
    const { id } = await json(onServer, "idp", "add", "azure", "Microsoft", ...client, "--tenant", "organizations");
    expect(await json(onServer, "idp", "show", id)).toMatchObject({ kind: "azure", name: "Microsoft" });
    await expectFailure(
      ["idp", "add", "gitlab", "GitLab", ...client, "--issuer", "ftp://x"],
      1,
      /^signet: issuer: .*\(INVALID_ARGUMENT\)\n$/,
    );
  });
});

test("`signet password-hook` sets, shows and removes a hook as on the database", async () => {
  const url = "https://legacy.example.com/signet";
  const set = (run: typeof here, ...args: string[]) => json(run, "password-hook", "set", url, ...args);
  const first = await set(onServer, "--org", "Acme");
  expect(first).toEqual({ orgId: acme, url, signingKey: expect.stringMatching(/^whsec_/) });
  const second = await set(here, "--org", "Acme");
  expect(second).toEqual({ ...first, signingKey: expect.stringMatching(/^whsec_/) });
  expect(second.signingKey).not.toBe(first.signingKey);
  const shown = await json(onServer, "password-hook", "show", "--org", "Acme");
  expect(shown).toEqual({ orgId: acme, url, changedAt: expect.stringMatching(/./) });
  expect(await json(here, "password-hook", "show", "--org", "Acme")).toEqual(shown);
  await expectFailure(["password-hook", "show"], 1, /\(PASSWORD_HOOK_NOT_FOUND\)\n$/);
  await expectFailure(["password-hook", "set", "ftp://x"], 1, /^signet: url: .*\(INVALID_ARGUMENT\)\n$/);
  expect((await onServer("password-hook", "show", "--org", acme)).stdout).toBe(
    `url: ${url}\nset: ${shown.changedAt}\n`,
  );
  expect(await json(onServer, "password-hook", "remove", "--org", "Acme")).toEqual({ orgId: acme });
  expect((await here("password-hook", "remove", "--org", "Acme")).stderr).toMatch(/\(PASSWORD_HOOK_NOT_FOUND\)\n$/);
});

test("`signet webhooks` lists webhooks and deliveries, and retries one", async () => {
  const body = { name: "CRM", url: "http://127.0.0.1:9/hook", eventTypes: [], includesPayload: true };
  const { adminToken: token } = service;
  const added = await send(service.origin, "POST", "/management/v1/webhooks", { token, body });
  processes.secret(added.body.signingKey);
  const { id } = added.body;
  await service.webhooks.deliverDue();
  expect(await json(onServer, "webhooks", "list")).toEqual(await json(here, "webhooks", "list"));
  expect(await json(onServer, "webhooks", "list", "--org", "Acme")).toEqual([]);

  const deliveries = await json(onServer, "webhooks", "deliveries", id);
  expect(deliveries).toEqual(await json(here, "webhooks", "deliveries", id));
  const [delivery] = deliveries;
  expect(delivery).toMatchObject({ eventType: "org.webhook.added", state: "waiting", attempts: 1 });
  expect(await json(onServer, "webhooks", "deliveries", id, "--state", "sent")).toEqual([]);
  expect(await json(onServer, "webhooks", "deliveries", id, "--limit", "1")).toHaveLength(1);
  expect(await json(onServer, "webhooks", "retry", id, delivery.id)).toEqual({ id: delivery.id });
  await service.webhooks.deliverDue();
  expect((await json(onServer, "webhooks", "deliveries", id))[0]).toMatchObject({ id: delivery.id, attempts: 2 });
  await expectFailure(["webhooks", "deliveries", randomUUID()], 1, /\(WEBHOOK_NOT_FOUND\)\n$/);
});
