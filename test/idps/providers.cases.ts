import type { JsonObject } from "@bufbuild/protobuf";
import { APPLE_KEY, type ClientKind } from "./provider-requests.ts";

/** A new secret. */
export const EDITED = { clientSecret: "another-client-secret-of-the-tests" };

/** General settings that replace those of a provider with the required fields alone. */
export const REPLACED: JsonObject = {
  name: " Renamed ",
  clientId: "renamed",
  scopes: ["openid email", "openid"],
  providerOptions: {
    ...{ isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true },
    autoLinking: "AUTO_LINKING_OPTION_EMAIL",
  },
};

const OPTIONS = REPLACED.providerOptions as JsonObject;
const RENAMED = { clientId: "renamed", scopes: ["openid", "email"] };
const ENDPOINTS = {
  authorizationEndpoint: "https://login.example.com/authorize?prompt=select_account",
  tokenEndpoint: "http://localhost:8081/token",
  userEndpoint: "https://api.example.com/me",
};

/** As a new provider of Microsoft has it, and a changed one keeps it. */
const BY_OBJECT = { userIdAttribute: "AZURE_AD_USER_ID_ATTRIBUTE_OID" };

/** What is read of each kind: as added, the fields of an update, and as replaced. */
export const READ: Readonly<Record<ClientKind, { added: JsonObject; update: JsonObject; replaced: JsonObject }>> = {
  GenericOIDC: {
    added: { oidc: { issuer: "https://accounts.example.com", clientId: "signet" } },
    update: {
      ...{ issuer: "https://login.example.com/tenant", usePkce: true, isIdTokenMapping: true },
      providerOptions: { ...OPTIONS, trustEmail: true },
    },
    replaced: {
      options: { ...OPTIONS, trustEmail: true },
      oidc: { ...RENAMED, issuer: "https://login.example.com/tenant", usePkce: true, isIdTokenMapping: true },
    },
  },
  Google: { added: { google: { clientId: "signet" } }, update: {}, replaced: { options: OPTIONS, google: RENAMED } },
  AzureAD: {
    added: { azureAd: { clientId: "signet", tenant: { tenantType: "AZURE_AD_TENANT_TYPE_COMMON" }, ...BY_OBJECT } },
    update: { tenant: { tenantId: "8eaef023-2b34-4da1-9baa-8bc8c9d6a490" }, emailVerified: true },
    replaced: {
      options: OPTIONS,
      azureAd: {
        ...RENAMED,
        tenant: { tenantId: "8eaef023-2b34-4da1-9baa-8bc8c9d6a490" },
        emailVerified: true,
        ...BY_OBJECT,
      },
    },
  },
  Apple: {
    added: { apple: { clientId: "com.example.signet", teamId: "ABCDE12345", keyId: "KEYID12345" } },
    update: { teamId: "FGHIJ67890", keyId: "OTHER12345" },
    replaced: { options: OPTIONS, apple: { ...RENAMED, teamId: "FGHIJ67890", keyId: "OTHER12345" } },
  },
  GitLab: { added: { gitlab: { clientId: "signet" } }, update: {}, replaced: { options: OPTIONS, gitlab: RENAMED } },
  GitLabSelfHosted: {
    added: { gitlabSelfHosted: { issuer: "https://git.example.com", clientId: "signet" } },
    update: { issuer: "https://gitlab.example.com/git" },
    replaced: { options: OPTIONS, gitlabSelfHosted: { ...RENAMED, issuer: "https://gitlab.example.com/git" } },
  },
  GitHub: { added: { github: { clientId: "signet" } }, update: {}, replaced: { options: OPTIONS, github: RENAMED } },
  GitHubEnterpriseServer: {
    added: { githubEs: { clientId: "signet", userEndpoint: "https://git.example.com/api/v3/user" } },
    update: ENDPOINTS,
    replaced: { options: OPTIONS, githubEs: { ...RENAMED, ...ENDPOINTS } },
  },
  GenericOAuth: {
    added: { oauth: { clientId: "signet", idAttribute: "id" } },
    update: { ...ENDPOINTS, idAttribute: "sub", usePkce: true },
    replaced: { options: OPTIONS, oauth: { ...RENAMED, ...ENDPOINTS, idAttribute: "sub", usePkce: true } },
  },
};

interface RejectedProvider {
  readonly kind: ClientKind;
  readonly title: string;
  readonly changes: object;
  readonly fields: readonly string[];
}

const options = (providerOptions: object) => ({ providerOptions });

export const REJECTED: readonly RejectedProvider[] = [
  ...(Object.keys(READ) as ClientKind[])
    .filter((kind) => kind !== "GenericOIDC")
    .map((kind) => ({
      kind,
      title: "trusted addresses, which it does not have",
      changes: options({ trustEmail: true }),
      fields: ["providerOptions.trustEmail"],
    })),
  {
    kind: "AzureAD",
    title: "every general field wrong at once",
    changes: { name: "\u202e", clientId: "", clientSecret: "x".repeat(201), scopes: ["a\tb"] },
    fields: ["clientId", "clientSecret", "name", "scopes[0]"],
  },
  {
    kind: "AzureAD",
    title: "automatic creation that is not allowed",
    changes: options({ isAutoCreation: true }),
    fields: ["providerOptions.isAutoCreation"],
  },
  {
    kind: "AzureAD",
    title: "automatic linking that is not allowed",
    changes: options({ autoLinking: "AUTO_LINKING_OPTION_EMAIL" }),
    fields: ["providerOptions.autoLinking"],
  },
  {
    kind: "AzureAD",
    title: "automatic linking by user name, which is not supported",
    changes: options({ isLinkingAllowed: true, autoLinking: "AUTO_LINKING_OPTION_USERNAME" }),
    fields: ["providerOptions.autoLinking"],
  },
  {
    kind: "AzureAD",
    title: "an unknown automatic linking",
    changes: options({ autoLinking: 9 }),
    fields: ["providerOptions.autoLinking"],
  },
  ...["../common", "a/b", "a..b", ".", "{tenantid}", "a b"].map((tenantId) => ({
    kind: "AzureAD" as const,
    title: `the tenant ${tenantId}`,
    changes: { tenant: { tenantId } },
    fields: ["tenant.tenantId"],
  })),
  {
    kind: "AzureAD",
    title: "an unknown group of tenants",
    changes: { tenant: { tenantType: 3 } },
    fields: ["tenant.tenantType"],
  },
  {
    kind: "Apple",
    title: "ids that are none",
    changes: { teamId: "abcde12345", keyId: "KEYID1234" },
    fields: ["keyId", "teamId"],
  },
  ...[
    ["text that is no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
    ["a key cut off", APPLE_KEY.slice(0, 60)],
    ["the characters of a NUL", "\0"],
  ].map(([title = "", key = ""]) => ({
    kind: "Apple" as const,
    title,
    changes: { privateKey: Buffer.from(key).toString("base64") },
    fields: ["privateKey"],
  })),
  {
    kind: "Apple",
    title: "a key that is too long",
    changes: { privateKey: Buffer.alloc(4_097).toString("base64") },
    fields: ["privateKey"],
  },
  ...(["GenericOIDC", "GitLabSelfHosted"] as const).flatMap((kind) =>
    [undefined, "http://accounts.example.com", "https://accounts.example.com/#a", "https://a@accounts.example.com"].map(
      (issuer) => ({ kind, title: `the issuer ${issuer}`, changes: { issuer }, fields: ["issuer"] }),
    ),
  ),
  ...(["GitHubEnterpriseServer", "GenericOAuth"] as const).flatMap((kind) =>
    (["authorizationEndpoint", "tokenEndpoint", "userEndpoint"] as const).flatMap((name) =>
      [
        ...[undefined, "accounts.example.com", "javascript:alert(1)", "http://accounts.example.com/token"],
        ...[
          "https://ada@accounts.example.com",
          "https://accounts.example.com/#",
          "https://accounts.example.com/?q=\u00e9",
        ],
        ...[" https://accounts.example.com", "https://accounts.example.com/\n", "file:///etc/passwd"],
      ].map((value) => ({ kind, title: `the ${name} ${value}`, changes: { [name]: value }, fields: [name] })),
    ),
  ),
  { kind: "GenericOAuth", title: "no id attribute", changes: { idAttribute: "" }, fields: ["idAttribute"] },
];
