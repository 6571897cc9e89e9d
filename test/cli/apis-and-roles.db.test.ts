import { createTestApp } from "../support/oidc/apps.ts";
import { createProcesses, type Ended } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import type { TestService } from "../support/servers/service.ts";

const processes = createProcesses();
let installation: Awaited<ReturnType<typeof processes.createInstallation>>;
let service: TestService;
/** An organization that is not the default one. */
let acme: string;
let count = 0;

beforeAll(async () => {
  installation = await processes.createInstallation("app-roles");
  service = await serveHere(installation);
  acme = await service.createOrg("Acme");
});
afterAll(async () => {
  await service?.close();
  await processes.close();
});

describe.each(["the database", "a server"] as const)("on %s", (place) => {
  const isServer = place === "a server";
  /** On a server, a call reaches one organization. */
  const org = isServer ? ["--org", "Acme"] : [];

  function signet(...args: string[]): Promise<Ended> {
    const server = isServer ? ["--url", service.origin, "--token-file", installation.tokenFile] : [];
    return processes.runHere([...args, ...server], installation.variables);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the tests check what is in it
  async function json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await signet(...args, "--json");
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    return JSON.parse(stdout);
  }

  async function expectFailure(args: string[], code: number, message: RegExp): Promise<void> {
    const outcome = await signet(...args);
    expect({ args, code: outcome.code, stdout: outcome.stdout }).toEqual({ args, code, stdout: "" });
    expect(outcome.stderr).toMatch(message);
  }

  test("`app roles` changes the roles of an application, and those of its users", async () => {
    const { appId } = await createTestApp(service, acme);
    const userName = `ada-${++count}`;
    const { userId } = await json("user", "import-one", ...human(userName), "--org", "Acme");
    expect(await json("app", "roles", "set", appId, "editor", "viewer", ...org)).toMatchObject({ clientId: appId });
    expect((await json("app", "show", appId, ...org)).roles).toEqual(["editor", "viewer"]);

    const added = await signet("app", "roles", "add", appId, userName, "viewer", "editor", ...org);
    expect(added).toMatchObject({ code: 0, stdout: `${userName} (${userId}) has viewer, editor\n` });
    const { result } = await json("app", "roles", "list", appId, ...org);
    expect(result).toMatchObject([
      { appId, userId, role: "editor" },
      { appId, userId, role: "viewer" },
    ]);
    const removed = await json("app", "roles", "remove", appId, userId, "viewer", ...org);
    expect(removed).toEqual({ id: userId, orgId: acme, appId, roles: ["viewer"] });
    expect((await json("app", "roles", "list", "--user", userId, ...org)).result).toMatchObject([{ role: "editor" }]);
    expect((await json("app", "roles", "list", appId, "--role", "viewer", ...org)).result ?? []).toEqual([]);
    const table = (await signet("app", "roles", "list", appId, ...org)).stdout;
    expect(table).toMatch(new RegExp(`^CLIENT ID +USER +ROLE +SINCE\n${appId} +${userId} +editor +\\d{4}-`));

    await expectFailure(["app", "roles", "add", appId, userId, "owner", ...org], 1, /\(APP_ROLE_NOT_FOUND\)\n$/);
    await expectFailure(["app", "roles", "remove", appId, userId, "viewer", ...org], 1, /\(APP_ROLE_NOT_FOUND\)\n$/);
    await json("app", "roles", "set", appId, ...org);
    expect((await json("app", "show", appId, ...org)).roles).toEqual([]);
    expect((await json("app", "roles", "list", appId, ...org)).result ?? []).toEqual([]);
  });

  test("`app create` and `app update` set roles, claims, and the form of access tokens", async () => {
    const { userId: serviceUserId } = await service.createToken({ orgId: acme });
    const created = await json(
      ...["app", "create", "Billing", "--type", "service", "--service-user", serviceUserId, "--org", "Acme"],
      ...["--access-token-type", "jwt", "--role", "admin", "--metadata-claim", "plan", "external_id"],
      ...["--require-pkce", "--require-par", "--require-dpop", "--id-token-algorithm", "PS256"],
    );
    const { clientId } = created;
    expect(await json("app", "show", clientId, ...org)).toMatchObject({
      ...{ type: "service", grantTypes: ["client_credentials"], serviceUserId, ownerId: acme },
      ...{ accessTokenType: "jwt", roles: ["admin"], metadataClaims: ["plan", "external_id"] },
      ...{ requiresPkce: true, requiresPar: true, dpopBoundAccessTokens: true },
      idTokenSignedResponseAlg: "PS256",
    });
    const update = [
      "--access-token-type",
      "opaque",
      "--metadata-claim",
      "plan",
      "--no-require-pkce",
      "--id-token-algorithm",
      "EdDSA",
      "--no-require-par",
    ];
    await json("app", "update", clientId, ...update, "--no-require-dpop", ...org);
    expect(await json("app", "show", clientId, ...org)).toMatchObject({
      ...{ type: "service", serviceUserId },
      ...{ accessTokenType: "opaque", roles: ["admin"], metadataClaims: ["plan"], idTokenSignedResponseAlg: "EdDSA" },
    });
    const { requiresPkce, requiresPar, dpopBoundAccessTokens } = await json("app", "show", clientId, ...org);
    expect([requiresPkce, requiresPar, dpopBoundAccessTokens].map((value) => value ?? false)).toEqual(
      Array(3).fill(false),
    );
  });

  test("`app secret` and `app remove` ask", async () => {
    const { appId } = await createTestApp(service, acme);
    for (const command of ["secret", "remove"]) {
      await expectFailure(["app", command, appId, ...org], 2, /there is no terminal to confirm the change/);
    }
    expect(await json("app", "remove", appId, "--yes", ...org)).toEqual({ clientId: appId });
  });

  test("`api` adds, lists, shows, changes and removes an API", async () => {
    const { appId } = await createTestApp(service, acme);
    const identifier = `https://api.example.com/orders-${++count}`;
    const scopes = ["orders:read", "orders:write"];
    const added = await json(
      ...["api", "add", "Orders", "--identifier", identifier, "--scope", ...scopes],
      ...["--introspector", appId, "--unregistered-clients", "--org", "Acme"],
    );
    const { id } = added;
    expect(added).toEqual({ id, orgId: acme });
    const lists = { scopes, introspectorAppIds: [appId] };
    const settings = { id, name: "Orders", identifier, ...lists, allowsUnregisteredClients: true };
    expect((await json("api", "show", id, ...org)).api).toMatchObject(settings);
    expect((await json("api", "list", "--org", "Acme")).result).toContainEqual(expect.objectContaining(settings));
    expect((await signet("api", "show", id, ...org)).stdout).toContain(`\nscopes: ${scopes.join(" ")}\n`);

    // What is not given stays as it is.
    expect(await json("api", "update", id, "--name", "Purchases", ...org)).toEqual({ id, orgId: acme });
    expect((await json("api", "show", id, ...org)).api).toMatchObject({ ...settings, name: "Purchases" });
    await json("api", "update", id, "--scope", "orders:read", "--no-introspector", ...org);
    const changed = (await json("api", "show", id, ...org)).api;
    expect(changed).toMatchObject({ name: "Purchases", identifier, scopes: ["orders:read"] });
    expect(changed.introspectorAppIds ?? []).toEqual([]);
    await json("api", "update", id, "--no-scope", "--no-unregistered-clients", ...org);
    const closed = (await json("api", "show", id, ...org)).api;
    expect([closed.scopes ?? [], closed.allowsUnregisteredClients ?? false]).toEqual([[], false]);

    await expectFailure(["api", "update", id, ...org], 1, /^signet: give at least one option with a change\n$/);
    await expectFailure(["api", "update", id, "--scope", "openid", ...org], 1, /^signet: scopes\[0\]: .*\)\n$/);
    const same = ["api", "add", "Orders", "--identifier", identifier, "--org", "Acme"];
    await expectFailure(same, 1, /^signet: identifier: .*\)\n$/);
    await expectFailure(["api", "remove", id, ...org], 2, /there is no terminal to confirm the change/);
    expect(await json("api", "remove", id, "--yes", ...org)).toEqual({ id, orgId: acme });
    await expectFailure(["api", "show", id, ...org], 1, /\(API_NOT_FOUND\)\n$/);
  });
});

function human(userName: string): string[] {
  const email = `${userName}@example.com`;
  return ["--user-name", userName, "--email", email, "--email-verified", "--first-name", "Ada", "--last-name", "L"];
}
