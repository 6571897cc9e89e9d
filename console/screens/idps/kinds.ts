import { ProviderType } from "../../../gen/signet/v1/provider_pb.js";
import { namesOf } from "../../state/tables.ts";
import type { FieldName } from "./provider-values.ts";

export type IconName = "google" | "microsoft" | "apple" | "github" | "gitlab" | "other";

interface KindRule {
  readonly type: ProviderType;
  /** The name of a new provider; empty if its owner has to choose one. */
  readonly name: string;
  readonly icon: IconName;
  /** The settings that the form shows, in their order. */
  readonly fields: readonly FieldName[];
  /** The page of the guide, below `/docs/guide/providers`. */
  readonly guide: string;
}

const CLIENT = ["clientId", "clientSecret"] as const;
const ENDPOINTS = ["authorizationEndpoint", "tokenEndpoint", "userEndpoint"] as const;
const LAST = ["scopes", "requireAuthTime"] as const;

/** The kinds of providers. */
export const KINDS = {
  google: { ...rule("GOOGLE", "Google", "google"), fields: [...CLIENT, ...LAST] },
  microsoft: {
    ...rule("AZURE_AD", "Microsoft", "microsoft"),
    fields: [...CLIENT, "tenant", "tenantId", "emailVerified", "userIdAttribute", ...LAST],
  },
  apple: { ...rule("APPLE", "Apple", "apple"), fields: ["clientId", "teamId", "keyId", "privateKey", ...LAST] },
  github: { ...rule("GITHUB", "GitHub", "github"), fields: [...CLIENT, ...LAST] },
  githubServer: { ...rule("GITHUB_ES", "GitHub Enterprise", "github"), fields: [...ENDPOINTS, ...CLIENT, ...LAST] },
  gitlab: { ...rule("GITLAB", "GitLab", "gitlab"), fields: [...CLIENT, ...LAST] },
  gitlabServer: { ...rule("GITLAB_SELF_HOSTED", "GitLab", "gitlab"), fields: ["issuer", ...CLIENT, ...LAST] },
  oidc: {
    ...rule("OIDC", "", "other", "oidc"),
    fields: ["issuer", ...CLIENT, "scopes", "usePkce", "isIdTokenMapping", "requireAuthTime", "trustEmail"],
  },
  oauth: {
    ...rule("OAUTH", "", "other", "oauth"),
    fields: [...ENDPOINTS, "idAttribute", ...CLIENT, "scopes", "usePkce", "requireAuthTime"],
  },
  saml: {
    ...rule("SAML", "", "other", "saml"),
    fields: [
      ...(["metadataUrl", "metadataXml", "nameIdFormat", "transientMappingAttributeName", "binding"] as const),
      ...(["withSignedRequest", "allowIdpInitiated", "trustEmail"] as const),
    ],
  },
} as const satisfies Record<string, KindRule>;

function rule(type: keyof typeof ProviderType, name: string, icon: IconName, guide: string = icon) {
  return { type: ProviderType[type], name, icon, guide };
}

export type ProviderKind = keyof typeof KINDS;

export const KIND_NAMES = namesOf(KINDS);

export function kindOf(type: ProviderType): ProviderKind {
  return KIND_NAMES.find((kind) => KINDS[kind].type === type) ?? "oidc";
}
