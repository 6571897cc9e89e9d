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

/** The part of the names of RPCs of a kind with a client id. */
export const CLIENT_KINDS = [
  "GenericOIDC",
  "Google",
  "AzureAD",
  "Apple",
  "GitLab",
  "GitLabSelfHosted",
  "GitHub",
  "GitHubEnterpriseServer",
  "GenericOAuth",
] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];
/** The same of all kinds. */
export const KINDS = [...CLIENT_KINDS, "SAML"] as const;
export type KindName = (typeof KINDS)[number];

/** The required fields of the requests of each kind, by the name in its RPCs. */
export const PROVIDERS: Readonly<Record<KindName, JsonObject>> = {
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
  SAML: { name: "Example", metadataXml: Buffer.from(SAML_METADATA).toString("base64") },
};

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
