import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { type Caller, createCaller, type Outcome } from "../support/clients/callers.ts";
import { BCRYPT, CLIENT_SECRET, HUMAN } from "../support/clients/requests.ts";
import { samlMetadata } from "../support/saml/metadata.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { APPLE_KEY, type KindName, PROVIDERS } from "./provider-requests.ts";

let service: TestService;
let owner: Caller;
let manager: Caller;
beforeAll(async () => {
  service = await startService("postgres");
  for (const secret of [CLIENT_SECRET, BCRYPT, APPLE_KEY]) service.secret(secret);
  const callerOf = async (role: "ORG_OWNER" | "ORG_SETTINGS_MANAGER") =>
    createCaller("grpc", service, (await service.createToken({ orgId: service.orgId, role })).token);
  owner = await callerOf("ORG_OWNER");
  manager = await callerOf("ORG_SETTINGS_MANAGER");
});
afterAll(async () => {
  owner?.close();
  manager?.close();
  await service?.close();
});

const AUTO_LINKING = { providerOptions: { isLinkingAllowed: true, autoLinking: "AUTO_LINKING_OPTION_EMAIL" } };
const reasonOf = (outcome: Outcome) => (outcome.ok ? "" : outcome.reason);
const idOf = (outcome: Outcome): string => {
  if (!outcome.ok) throw new Error(outcome.message);
  return String(outcome.message.id);
};

/** An ORG_SETTINGS_MANAGER could otherwise sign in as any user whose address is known, or register with any address. */
describe.each([
  ["that links users by their address", AUTO_LINKING],
  ["whose addresses are trusted", { providerOptions: { trustEmail: true } }],
])("a provider %s", (_title, trust) => {
  const fields = { ...PROVIDERS.GenericOIDC, ...trust };
  const issuer = "https://attacker.example.com";
  const other = { ...PROVIDERS.GenericOIDC, issuer };

  test("is added by an owner, and not by a manager of settings", async () => {
    expect(reasonOf(await manager.call("AddGenericOIDCProvider", fields))).toBe("PERMISSION_DENIED");
    expect(reasonOf(await owner.call("AddGenericOIDCProvider", fields))).toBe("");
  });

  test("is added with SAML by an owner, and not by a manager of settings", async () => {
    const saml = { name: "Corp", metadataXml: Buffer.from(samlMetadata()).toString("base64"), ...trust };
    expect(reasonOf(await manager.call("AddSAMLProvider", saml))).toBe("PERMISSION_DENIED");
    const id = idOf(await owner.call("AddSAMLProvider", saml));
    expect(reasonOf(await manager.call("UpdateSAMLProvider", { id, ...saml }))).toBe("PERMISSION_DENIED");
    const { providerOptions: _, ...plain } = saml;
    expect(reasonOf(await manager.call("UpdateSAMLProvider", { id, ...plain }))).toBe("PERMISSION_DENIED");
  });

  test("does not become one by the change of a manager of settings", async () => {
    const id = idOf(await manager.call("AddGenericOIDCProvider", PROVIDERS.GenericOIDC));
    expect(reasonOf(await manager.call("UpdateGenericOIDCProvider", { id, ...fields }))).toBe("PERMISSION_DENIED");
    expect(reasonOf(await owner.call("UpdateGenericOIDCProvider", { id, ...fields }))).toBe("");
  });

  test("is changed by an owner, and not by a manager of settings, also by the deprecated calls", async () => {
    const id = idOf(await owner.call("AddGenericOIDCProvider", fields));
    const changes = (caller: Caller) => [
      caller.call("UpdateGenericOIDCProvider", { id, ...other, ...trust }),
      caller.call("UpdateOrgIDPOIDCConfig", { idpId: id, clientId: "other", issuer }),
      caller.call("UpdateOrgIDP", { idpId: id, name: "Renamed", autoRegister: true }),
      caller.call("UpdateGenericOIDCProvider", { id, ...other }),
    ];
    for (const change of changes(manager)) expect(reasonOf(await change)).toBe("PERMISSION_DENIED");
    const row = await service.db.selectFrom("idps").select("sequence").where("id", "=", id).executeTakeFirstOrThrow();
    expect(row.sequence).toBe(1n);
    for (const change of changes(owner)) expect(reasonOf(await change)).toBe("");
  });
});

const OTHER = "https://attacker.example.com/x";

/** What a change of a provider with links results in, for an owner and for a manager of settings. */
const CHANGES: readonly (readonly [KindName, JsonObject, string, string])[] = [
  ["GenericOIDC", { issuer: OTHER }, "IDP_HAS_LINKS", "IDP_HAS_LINKS"],
  ["GenericOIDC", { clientId: "other" }, "", "PERMISSION_DENIED"],
  ["GenericOIDC", { usePkce: true, isIdTokenMapping: true, name: "Renamed" }, "", ""],
  ["GitLabSelfHosted", { issuer: OTHER }, "IDP_HAS_LINKS", "IDP_HAS_LINKS"],
  ["Google", { clientId: "other" }, "", "PERMISSION_DENIED"],
  ["AzureAD", { tenant: { tenantId: "other.example.com" } }, "", "PERMISSION_DENIED"],
  ["AzureAD", { emailVerified: true }, "", ""],
  ["Apple", { teamId: "OTHERTEAM1" }, "", "PERMISSION_DENIED"],
  ["Apple", { keyId: "OTHERKEY01", privateKey: "" }, "", ""],
  ...(["GitHubEnterpriseServer", "GenericOAuth"] as const).flatMap((kind) => [
    [kind, { authorizationEndpoint: OTHER }, "IDP_HAS_LINKS", "IDP_HAS_LINKS"] as const,
    [kind, { tokenEndpoint: OTHER }, "IDP_HAS_LINKS", "IDP_HAS_LINKS"] as const,
    [kind, { userEndpoint: OTHER }, "IDP_HAS_LINKS", "IDP_HAS_LINKS"] as const,
  ]),
  ["GenericOAuth", { idAttribute: "email" }, "IDP_HAS_LINKS", "IDP_HAS_LINKS"],
];

test.each(CHANGES)(
  "%s with links: %j results in %j for an owner, and in %j for others",
  async (kind, change, ...outcomes) => {
    for (const [caller, expected] of [
      [manager, outcomes[1]],
      [owner, outcomes[0]],
    ] as const) {
      const id = idOf(await owner.call(`Add${kind}Provider`, PROVIDERS[kind]));
      const idps = [{ configId: id, externalUserId: "external" }];
      const imported = await owner.call("ImportHumanUser", { userName: `linked-${randomUUID()}`, ...HUMAN, idps });
      expect(imported.ok).toBe(true);
      expect(reasonOf(await caller.call(`Update${kind}Provider`, { id, ...PROVIDERS[kind], ...change }))).toBe(
        expected,
      );
    }
  },
);
