import { send } from "../support/clients/send.ts";
import { type OtherProviders, startOtherProviders } from "../support/oidc/other-provider.ts";
import { createProcesses } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import type { TestService } from "../support/servers/service.ts";
import { createSignetCommands, type SignetCommands } from "./signet-commands.ts";

const processes = createProcesses();
const SECRET = processes.secret("client-secret-of-the-commands");

let providers: OtherProviders;
let service: TestService;
let signet: SignetCommands;
beforeAll(async () => {
  providers = await startOtherProviders();
  const installation = await processes.createInstallation("idp");
  signet = createSignetCommands(processes.runHere, installation.variables);
  service = await serveHere(installation);
});
afterAll(async () => {
  await service.close();
  await processes.close();
  await providers?.close();
});

let names = 0;

/** A provider of the instance, or of the organization `default`, and what it serves. */
async function addIdp(fields: object = {}, options: object = {}, path = "/admin/v1/idps/oidc"): Promise<string> {
  const name = `provider-${++names}`;
  await providers.configure(name, { clients: [], account: { sub: "1" }, ...options });
  const issuer = `${providers.origin}/${name}`;
  const body = { name, clientId: "signet", clientSecret: SECRET, issuer, ...fields };
  const response = await send(service.origin, "POST", path, { token: service.adminToken, body });
  return response.body.idpId;
}

const check = async (id: string) => {
  const { code, stdout, stderr } = await signet.signet("idp", "check", id, "--json");
  expect(stderr).toBe("");
  const { problems, warnings } = JSON.parse(stdout);
  return { code, problems, warnings };
};

test("`idp list` and `idp show` show providers without their secret", async () => {
  const fields = {
    name: "Show me",
    scopes: ["email", "groups"],
    autoRegister: true,
    stylingType: "STYLING_TYPE_GOOGLE",
  };
  const id = await addIdp({ ...fields, usernameMapping: "OIDC_MAPPING_FIELD_EMAIL" });
  const ofOrg = await addIdp({ name: "Of the organization" }, {}, "/management/v1/idps/oidc");
  const listed = await signet.json("idp", "list");
  expect(listed).toContainEqual(expect.objectContaining({ id, name: "Show me", state: "active", org: null }));
  expect(listed).toContainEqual(expect.objectContaining({ id: ofOrg, org: "default" }));
  const { stdout } = await signet.signet("idp", "list");
  expect(stdout).toMatch(new RegExp(`^${id}  Show me +oidc +active  \\(instance\\)  http://127`, "m"));
  expect(await signet.json("idp", "show", id)).toMatchObject({
    id,
    name: "Show me",
    clientId: "signet",
    scopes: ["email", "groups"],
    stylingType: "GOOGLE",
    usernameMapping: "OIDC_MAPPING_FIELD_EMAIL",
    autoRegister: true,
    federatedLogoutEnabled: false,
    signedOutUrl: expect.stringMatching(new RegExp(`^http://localhost:\\d+/ui/idps/${id}/signed-out$`)),
    callbackUrl: expect.stringMatching(new RegExp(`^http://localhost:\\d+/ui/idps/${id}/callback$`)),
  });
  const shown = await signet.signet("idp", "show", id);
  expect(shown.stdout).toContain("\nscopes: email groups\n");
});

test.each(["/admin/v1/idps/oidc", "/management/v1/idps/oidc"])(
  "`idp update` changes the given settings of a provider of %s, and keeps the others",
  async (path) => {
    const id = await addIdp({ name: "Change me", autoRegister: true }, {}, path);
    const before = await signet.json("idp", "show", id);
    expect(await signet.json("idp", "update", id, "--federated-logout")).toEqual({ id, federatedLogoutEnabled: true });
    const changedAt = expect.any(String);
    const after = await signet.json("idp", "show", id);
    expect(after).toEqual({ ...before, federatedLogoutEnabled: true, changedAt });
    await signet.json("idp", "update", id);
    expect(await signet.json("idp", "show", id)).toEqual(after);
    await signet.json("idp", "update", id, "--no-federated-logout");
    expect(await signet.json("idp", "show", id)).toEqual({ ...before, changedAt });
  },
);

test.each([
  ["no end_session_endpoint", null, "is missing"],
  ["one that is not https", "ftp://example.com/", '"ftp://example.com/" is not an https URL'],
])("`idp check` warns about federated sign-outs with a provider that has %s", async (_, endpoint, problem) => {
  const id = await addIdp({}, { metadata: { end_session_endpoint: endpoint } });
  expect((await check(id)).warnings).toEqual(["issuer: is not encrypted"]);
  await signet.json("idp", "update", id, "--federated-logout");
  const warning = `end_session_endpoint: ${problem}; sign-outs do not continue at the provider`;
  expect((await check(id)).warnings).toEqual(["issuer: is not encrypted", warning]);
});

test("`idp check` reports no problems for a working provider", async () => {
  const id = await addIdp();
  expect(await check(id)).toEqual({ code: 0, problems: [], warnings: ["issuer: is not encrypted"] });
  const { stdout } = await signet.signet("idp", "check", id);
  expect(stdout).toMatch(
    /^issuer: http.*\nauthorization_endpoint: http.*\ntoken_endpoint: http.*\njwks_uri: http.*\nuserinfo_endpoint: http.*\nwarning: issuer: is not encrypted\nno problems; the callback URL to register is http/,
  );
  expect(await signet.signet("idp", "test", id)).toMatchObject({ code: 0, stdout });
});

test("`idp check` says what it cannot check of a provider without OpenID Connect", async () => {
  const path = "/admin/v1/idps/github";
  const body = { name: "GitHub", clientId: "signet", clientSecret: SECRET };
  const { id } = (await send(service.origin, "POST", path, { token: service.adminToken, body })).body;
  const warning = "the provider publishes no metadata, so its endpoints and scopes were not checked; sign in once";
  expect(await check(id)).toEqual({ code: 0, problems: [], warnings: [warning] });
  const { stdout } = await signet.signet("idp", "check", id);
  expect(stdout).toMatch(/^warning: .*\nno problems in what was checked; the callback URL to register is http/);
});

test("`idp check` warns about scopes that the provider does not list", async () => {
  const id = await addIdp({ scopes: ["email", "groups"] });
  const { code, warnings } = await check(id);
  expect([code, warnings]).toEqual([0, ["scopes: the provider does not list groups", "issuer: is not encrypted"]]);
});

test.each([
  [
    "the issuer differs by a slash",
    {},
    { variant: "metadata-issuer" },
    /^issuer: the metadata has the issuer "http.*\/"/,
  ],
  ["it is down", {}, { variant: "down-metadata" }, /openid-configuration responds with status 503 instead of 200$/],
  ["nobody listens", { issuer: "http://127.0.0.1:1" }, {}, /cannot be loaded: 127.0.0.1: ECONNREFUSED/],
  ["it has no keys", {}, { metadata: { jwks_uri: "http://127.0.0.1:1/keys" } }, /^jwks_uri: .*ECONNREFUSED/],
])("`idp check` reports that %s", async (_, fields, options, problem) => {
  const { code, problems } = await check(await addIdp(fields, options));
  expect([code, problems]).toEqual([1, [expect.stringMatching(problem)]]);
});

test("`idp check` reports that an organization's provider is at an address that is not public", async () => {
  const { code, problems } = await check(await addIdp({}, {}, "/management/v1/idps/oidc"));
  expect([code, problems]).toEqual([1, [expect.stringMatching(/127\.0\.0\.1 has an address that is not public$/)]]);
});

test("an unknown provider is a failure", async () => {
  for (const command of ["show", "check", "update"]) {
    await signet.expectFailure(["idp", command, "nobody"], 'no identity provider has the id "nobody"');
  }
});
