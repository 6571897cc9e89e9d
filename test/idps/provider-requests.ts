import { generateKeyPairSync } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Rpc, WriteRpc } from "../support/clients/callers.ts";
import { CLIENT_SECRET } from "../support/clients/requests.ts";
import { SAML_METADATA } from "../support/saml/metadata.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** A key as in a .p8 file of Apple. */
export const APPLE_KEY = String(privateKey.export({ format: "pem", type: "pkcs8" }));

const CLIENT = { name: "Example", clientId: "signet", clientSecret: CLIENT_SECRET };
const ENDPOINTS = {
  authorizationEndpoint: "https://git.example.com/login/oauth/authorize",
  tokenEndpoint: "https://git.example.com/login/oauth/access_token",
  userEndpoint: "https://git.example.com/api/v3/user",
};

/** The required fields of the requests of each kind with a client id, by the name in its RPCs. */
const CLIENTS = {
  GenericOIDC: { ...CLIENT, issuer: "https://accounts.example.com" },
  Google: CLIENT,
  AzureAD: CLIENT,
  Apple: {
    name: "Example",
    clientId: "com.example.signet",
    teamId: "ABCDE12345",
    keyId: "KEYID12345",
    privateKey: Buffer.from(APPLE_KEY).toString("base64"),
  },
  GitLab: CLIENT,
  GitLabSelfHosted: { ...CLIENT, issuer: "https://git.example.com" },
  GitHub: CLIENT,
  GitHubEnterpriseServer: { ...CLIENT, ...ENDPOINTS },
  GenericOAuth: { ...CLIENT, ...ENDPOINTS, idAttribute: "id" },
} as const satisfies Record<string, JsonObject>;
export type ClientKind = keyof typeof CLIENTS;
export const CLIENT_KINDS = Object.keys(CLIENTS) as ClientKind[];

/** The same of all kinds. */
export type KindName = ClientKind | "SAML";
export const PROVIDERS: Readonly<Record<KindName, JsonObject>> = {
  ...CLIENTS,
  SAML: { name: "Example", metadataXml: Buffer.from(SAML_METADATA).toString("base64") },
};
export const KINDS = Object.keys(PROVIDERS) as KindName[];

/** The value of `type` of each kind. */
export const TYPES: Readonly<Record<KindName, string>> = {
  GenericOIDC: "PROVIDER_TYPE_OIDC",
  Google: "PROVIDER_TYPE_GOOGLE",
  AzureAD: "PROVIDER_TYPE_AZURE_AD",
  Apple: "PROVIDER_TYPE_APPLE",
  GitLab: "PROVIDER_TYPE_GITLAB",
  GitLabSelfHosted: "PROVIDER_TYPE_GITLAB_SELF_HOSTED",
  GitHub: "PROVIDER_TYPE_GITHUB",
  GitHubEnterpriseServer: "PROVIDER_TYPE_GITHUB_ES",
  GenericOAuth: "PROVIDER_TYPE_OAUTH",
  SAML: "PROVIDER_TYPE_SAML",
};

/** The kind of provider that an RPC adds or updates; undefined for all other RPCs. */
export function kindOf(rpc: Rpc): KindName | undefined {
  return KINDS.find((kind) => rpc.replace(/^AdminService\./, "").replace(/^(Add|Update)/, "") === `${kind}Provider`);
}

/** The RPCs that add and update providers of all kinds. */
export type ProviderRpc = Extract<WriteRpc, `${"" | "AdminService."}${"Add" | "Update"}${KindName}Provider`>;

export function isProviderRpc(rpc: WriteRpc): rpc is ProviderRpc {
  return kindOf(rpc) !== undefined;
}
