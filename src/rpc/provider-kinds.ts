import {
  AzureADTenantType,
  AzureADUserIDAttribute,
  ProviderType,
  SAMLBinding,
  SAMLNameIDFormat,
} from "../../gen/signet/v1/provider_pb.js";
import type { IdpKind } from "../idps/kinds.ts";

/**
 * Each kind of provider in messages: its type, the name of its settings in `ProviderConfig`, and the call that adds one.
 */
export const PROVIDER_KINDS = {
  oidc: { type: ProviderType.OIDC, config: "oidc", add: "addGenericOIDCProvider" },
  google: { type: ProviderType.GOOGLE, config: "google", add: "addGoogleProvider" },
  azure: { type: ProviderType.AZURE_AD, config: "azureAd", add: "addAzureADProvider" },
  apple: { type: ProviderType.APPLE, config: "apple", add: "addAppleProvider" },
  gitlab: { type: ProviderType.GITLAB, config: "gitlab", add: "addGitLabProvider" },
  gitlab_self_hosted: {
    type: ProviderType.GITLAB_SELF_HOSTED,
    config: "gitlabSelfHosted",
    add: "addGitLabSelfHostedProvider",
  },
  github: { type: ProviderType.GITHUB, config: "github", add: "addGitHubProvider" },
  github_es: { type: ProviderType.GITHUB_ES, config: "githubEs", add: "addGitHubEnterpriseServerProvider" },
  oauth: { type: ProviderType.OAUTH, config: "oauth", add: "addGenericOAuthProvider" },
  saml: { type: ProviderType.SAML, config: "saml", add: "addSAMLProvider" },
} as const satisfies Record<IdpKind, { readonly type: ProviderType; readonly config: string; readonly add: string }>;

/** The kind with a type. The schema rejects types without one. */
export function kindOfType(type: ProviderType): IdpKind {
  const kinds = Object.keys(PROVIDER_KINDS) as IdpKind[];
  return kinds.find((kind) => PROVIDER_KINDS[kind].type === type) ?? "oidc";
}

/** The words in the URLs of Microsoft. */
export const TENANTS = {
  [AzureADTenantType.AZURE_AD_TENANT_TYPE_COMMON]: "common",
  [AzureADTenantType.AZURE_AD_TENANT_TYPE_ORGANISATIONS]: "organizations",
  [AzureADTenantType.AZURE_AD_TENANT_TYPE_CONSUMERS]: "consumers",
} as const;

/** The tenant in messages, for the part of the URL. */
export function toTenant(tenant: string) {
  const [type] = Object.entries(TENANTS).find(([, word]) => word === tenant) ?? [];
  return type === undefined
    ? { type: { case: "tenantId", value: tenant } }
    : { type: { case: "tenantType", value: Number(type) } };
}

/** The stored words of the claims of Microsoft. */
export const USER_ID_ATTRIBUTES = {
  [AzureADUserIDAttribute.AZURE_AD_USER_ID_ATTRIBUTE_SUB]: "sub",
  [AzureADUserIDAttribute.AZURE_AD_USER_ID_ATTRIBUTE_OID]: "oid",
} as const;

/** The stored words of the settings of SAML providers. */
export const SAML_BINDINGS = {
  [SAMLBinding.SAML_BINDING_UNSPECIFIED]: "unspecified",
  [SAMLBinding.SAML_BINDING_POST]: "post",
  [SAMLBinding.SAML_BINDING_REDIRECT]: "redirect",
} as const;
export const SAML_NAME_ID_FORMATS = {
  [SAMLNameIDFormat.SAML_NAME_ID_FORMAT_UNSPECIFIED]: "unspecified",
  [SAMLNameIDFormat.SAML_NAME_ID_FORMAT_EMAIL_ADDRESS]: "email",
  [SAMLNameIDFormat.SAML_NAME_ID_FORMAT_PERSISTENT]: "persistent",
  [SAMLNameIDFormat.SAML_NAME_ID_FORMAT_TRANSIENT]: "transient",
} as const;

/** The number of an enum for a stored word. */
export function numberOf(words: Readonly<Record<number, string>>, word: string | undefined): number {
  return Number(Object.entries(words).find(([, each]) => each === word)?.[0] ?? 0);
}
