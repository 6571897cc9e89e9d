import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { APPLE_KEY } from "../idps/provider-requests.ts";
import { send } from "../support/clients/send.ts";
import { SAML_METADATA } from "../support/saml/metadata.ts";
import { createProcesses } from "../support/servers/process.ts";
import { serveHere } from "../support/servers/serve-here.ts";
import type { TestService } from "../support/servers/service.ts";
import { createSignetCommands, type SignetCommands } from "./signet-commands.ts";

const processes = createProcesses();
const SECRET = processes.secret("client-secret-of-the-commands");

let service: TestService;
let signet: SignetCommands;
let secretFile: string;
let keyFile: string;
let metadataFile: string;
beforeAll(async () => {
  const installation = await processes.createInstallation("idp-add");
  signet = createSignetCommands(processes.runHere, installation.variables);
  service = await serveHere(installation);
  const file = (name: string, text: string) => {
    const path = join(installation.variables.DATA_DIR ?? "", name);
    writeFileSync(path, text);
    return path;
  };
  secretFile = file("client-secret", `${SECRET}\n`);
  metadataFile = file("metadata.xml", SAML_METADATA);
  keyFile = file("key.p8", APPLE_KEY);
});
afterAll(async () => {
  await service.close();
  await processes.close();
});

const client = () => ["--client-id", "signet", "--client-secret-file", secretFile];
const read = async (id: string, path = "/admin/v1") =>
  (await send(service.origin, "GET", `${path}/idps/templates/${id}`, { token: service.adminToken })).body.idp;

const ENDPOINTS = ["authorization", "token", "user"].flatMap((name) => [
  `--${name}-endpoint`,
  `https://git.example.com/${name}`,
]);
const STORED_ENDPOINTS = {
  authorizationEndpoint: "https://git.example.com/authorization",
  tokenEndpoint: "https://git.example.com/token",
  userEndpoint: "https://git.example.com/user",
};

const KINDS: readonly (readonly [string, readonly string[], string, object])[] = [
  ["google", [], "GOOGLE", { google: { clientId: "signet" } }],
  [
    "azure",
    ["--tenant", "organizations", "--email-verified"],
    "AZURE_AD",
    {
      azureAd: {
        clientId: "signet",
        tenant: { tenantType: "AZURE_AD_TENANT_TYPE_ORGANISATIONS" },
        emailVerified: true,
        userIdAttribute: "AZURE_AD_USER_ID_ATTRIBUTE_OID",
      },
    },
  ],
  [
    "azure",
    ["--tenant", "example.com", "--user-id-attribute", "sub"],
    "AZURE_AD",
    { azureAd: { clientId: "signet", tenant: { tenantId: "example.com" } } },
  ],
  ["gitlab", [], "GITLAB", { gitlab: { clientId: "signet" } }],
  [
    "gitlab",
    ["--issuer", "https://git.example.com"],
    "GITLAB_SELF_HOSTED",
    { gitlabSelfHosted: { clientId: "signet", issuer: "https://git.example.com" } },
  ],
  ["github", ["--scope", "read:user"], "GITHUB", { github: { clientId: "signet", scopes: ["read:user"] } }],
  ["github", ENDPOINTS, "GITHUB_ES", { githubEs: { clientId: "signet", ...STORED_ENDPOINTS } }],
  [
    "oauth",
    [...ENDPOINTS, "--id-attribute", "id", "--pkce"],
    "OAUTH",
    { oauth: { clientId: "signet", ...STORED_ENDPOINTS, idAttribute: "id", usePkce: true } },
  ],
  [
    "oidc",
    ["--issuer", "https://idp.example.com", "--scope", "openid", "email"],
    "OIDC",
    {
      oidc: { clientId: "signet", issuer: "https://idp.example.com", scopes: ["openid", "email"], usePkce: true },
    },
  ],
];

test.each(KINDS)("`idp add %s %j` adds a provider of the instance", async (kind, options, type, config) => {
  const added = await signet.json("idp", "add", kind, " My provider ", ...client(), ...options);
  expect(added).toEqual({
    id: expect.any(String),
    ownerId: service.instanceId,
    callbackUrl: expect.stringMatching(new RegExp(`^http://localhost:\\d+/ui/idps/${added.id}/callback$`)),
  });
  const idp = await read(added.id);
  expect(idp).toMatchObject({ name: "My provider", type: `PROVIDER_TYPE_${type}` });
  const { options: stored, ...rest } = idp.config;
  expect([stored, rest]).toEqual([{ requireAuthTime: kind !== "azure" }, config]);
  const { client_secret: secret } = await service.db
    .selectFrom("idps")
    .select("client_secret")
    .where("id", "=", added.id)
    .executeTakeFirstOrThrow();
  expect(secret.length).toBeGreaterThan(SECRET.length);
});

test("`idp add apple` reads the private key", async () => {
  const ids = ["--client-id", "com.example.signet", "--team-id", "ABCDE12345", "--key-id", "KEYID12345"];
  const { id } = await signet.json("idp", "add", "apple", "Apple", ...ids, "--private-key-file", keyFile);
  expect((await read(id)).config).toEqual({
    options: { requireAuthTime: true },
    apple: { clientId: "com.example.signet", teamId: "ABCDE12345", keyId: "KEYID12345" },
  });
  await signet.expectFailure(
    ["idp", "add", "apple", "Apple", ...ids, "--private-key-file", secretFile],
    /privateKey: must be a private key of the curve P-256/,
  );
});

test("`idp add saml` reads the metadata", async () => {
  const options = [
    "--binding",
    "post",
    "--signed-requests",
    "--name-id-format",
    "transient",
    "--transient-attribute",
    "uid",
    "--idp-initiated",
    "--trust-email",
  ];
  const added = await signet.json("idp", "add", "saml", "Corp", "--metadata-file", metadataFile, ...options);
  expect(added.callbackUrl).toMatch(new RegExp(`/ui/idps/${added.id}/saml/acs$`));
  const { saml, options: allowed } = (await read(added.id)).config;
  expect(allowed).toEqual({ trustEmail: true });
  expect(saml).toEqual({
    metadataXml: expect.any(String),
    binding: "SAML_BINDING_POST",
    withSignedRequest: true,
    nameIdFormat: "SAML_NAME_ID_FORMAT_TRANSIENT",
    transientMappingAttributeName: "uid",
    allowIdpInitiated: true,
  });
  const entityId = "https://saml.example.com/entity";
  expect(await signet.json("idp", "list")).toContainEqual(
    expect.objectContaining({ id: added.id, kind: "saml", issuer: entityId, org: null }),
  );
  const { stdout } = await signet.signet("idp", "check", added.id);
  expect(stdout).toContain(`the callback URL to register is ${added.callbackUrl}`);
  expect(stdout).toContain(`entityID: ${entityId}`);
  await signet.expectFailure(["idp", "add", "saml", "Corp"], /metadataXml: is required, or metadataUrl/);
  await signet.expectFailure(["idp", "add", "saml", "Corp", "--metadata-file", keyFile], /metadataXml: must be XML/);
});

test("`idp add` adds a provider of an organization with options, and prints what to register", async () => {
  const options = [
    "--org",
    "default",
    "--auto-creation",
    "--auto-linking",
    "--auto-update",
    "--require-auth-time",
    "no",
  ];
  const { stdout } = await signet.signet("idp", "add", "google", "Google", ...client(), ...options);
  const [, id = "", url] = /^id: +(.*)\ncallback URL: (.*)\n$/.exec(stdout) ?? [];
  expect(url).toMatch(new RegExp(`/ui/idps/${id}/callback$`));
  expect(await read(id, "/management/v1")).toMatchObject({
    owner: "IDP_OWNER_TYPE_ORG",
    config: {
      options: {
        isLinkingAllowed: true,
        isCreationAllowed: true,
        isAutoCreation: true,
        isAutoUpdate: true,
        autoLinking: "AUTO_LINKING_OPTION_EMAIL",
        requireAuthTime: false,
      },
    },
  });
});

test.each([
  [["oidc", "--issuer", "http://idp.example.com"], /issuer: must be/],
  [["azure", "--tenant", "a/b"], /tenant\.tenantId: must be/],
  [["github", "--user-endpoint", "https://git.example.com/user"], /authorizationEndpoint.*tokenEndpoint/s],
  [["google", "--org", "nobody"], /no organization/],
  [["oidc"], /required option '--issuer <url>' not specified/],
  [["oauth", "--id-attribute", "id"], /required option '--authorization-endpoint <url>' not specified/],
])("`idp add %j` is a failure", async ([kind = "", ...options], problem) => {
  const { code, stdout, stderr } = await signet.signet("idp", "add", kind, "Name", ...client(), ...options);
  expect([code === 0, stdout, stderr]).toEqual([false, "", expect.stringMatching(problem)]);
});

test("a file that cannot be read is a failure", async () => {
  const args = ["idp", "add", "google", "Google", "--client-id", "signet", "--client-secret-file", "nowhere"];
  await signet.expectFailure(args, "--client-secret-file: nowhere cannot be read: ENOENT");
});
