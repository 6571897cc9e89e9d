import { AzureADTenantType, ProviderType, SAMLBinding, SAMLNameIDFormat } from "../../gen/signet/v1/provider_pb.js";
import type { IdpKind } from "../idps/kinds.ts";

/** The type of each kind of provider, and the name of its settings in `ProviderConfig`. */
export const PROVIDER_KINDS = {
  oidc: { type: ProviderType.OIDC, config: "oidc" },
  google: { type: ProviderType.GOOGLE, config: "google" },
  azure: { type: ProviderType.AZURE_AD, config: "azureAd" },
  apple: { type: ProviderType.APPLE, config: "apple" },
  gitlab: { type: ProviderType.GITLAB, config: "gitlab" },
  gitlab_self_hosted: { type: ProviderType.GITLAB_SELF_HOSTED, config: "gitlabSelfHosted" },
  github: { type: ProviderType.GITHUB, config: "github" },
  github_es: { type: ProviderType.GITHUB_ES, config: "githubEs" },
  oauth: { type: ProviderType.OAUTH, config: "oauth" },
  saml: { type: ProviderType.SAML, config: "saml" },
} as const satisfies Record<IdpKind, { readonly type: ProviderType; readonly config: string }>;

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
