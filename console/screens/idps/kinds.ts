import { ProviderType } from "../../../gen/signet/v1/provider_pb.js";
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

/** The kinds of providers. */
export const KINDS = {
  google: {
    type: ProviderType.GOOGLE,
    name: "Google",
    icon: "google",
    fields: [...CLIENT, "scopes", "requireAuthTime"],
    guide: "google",
  },
  microsoft: {
    type: ProviderType.AZURE_AD,
    name: "Microsoft",
    icon: "microsoft",
    fields: [...CLIENT, "tenant", "tenantId", "emailVerified", "scopes", "requireAuthTime"],
    guide: "microsoft",
  },
  apple: {
    type: ProviderType.APPLE,
    name: "Apple",
    icon: "apple",
    fields: ["clientId", "teamId", "keyId", "privateKey", "scopes", "requireAuthTime"],
    guide: "apple",
  },
  github: {
    type: ProviderType.GITHUB,
    name: "GitHub",
    icon: "github",
    fields: [...CLIENT, "scopes", "requireAuthTime"],
    guide: "github",
  },
  githubServer: {
    type: ProviderType.GITHUB_ES,
    name: "GitHub Enterprise",
    icon: "github",
    fields: [...ENDPOINTS, ...CLIENT, "scopes", "requireAuthTime"],
    guide: "github",
  },
  gitlab: {
    type: ProviderType.GITLAB,
    name: "GitLab",
    icon: "gitlab",
    fields: [...CLIENT, "scopes", "requireAuthTime"],
    guide: "gitlab",
  },
  gitlabServer: {
    type: ProviderType.GITLAB_SELF_HOSTED,
    name: "GitLab",
    icon: "gitlab",
    fields: ["issuer", ...CLIENT, "scopes", "requireAuthTime"],
    guide: "gitlab",
  },
  oidc: {
    type: ProviderType.OIDC,
    name: "",
    icon: "other",
    fields: ["issuer", ...CLIENT, "scopes", "usePkce", "isIdTokenMapping", "requireAuthTime", "trustEmail"],
    guide: "oidc",
  },
  oauth: {
    type: ProviderType.OAUTH,
    name: "",
    icon: "other",
    fields: [...ENDPOINTS, "idAttribute", ...CLIENT, "scopes", "usePkce", "requireAuthTime"],
    guide: "oauth",
  },
  saml: {
    type: ProviderType.SAML,
    name: "",
    icon: "other",
    fields: [
      "metadataUrl",
      "metadataXml",
      "nameIdFormat",
      "transientMappingAttributeName",
      "binding",
      "withSignedRequest",
      "allowIdpInitiated",
      "trustEmail",
    ],
    guide: "saml",
  },
} as const satisfies Record<string, KindRule>;

export type ProviderKind = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as readonly ProviderKind[];

export function kindOf(type: ProviderType): ProviderKind {
  return KIND_NAMES.find((kind) => KINDS[kind].type === type) ?? "oidc";
}

export function isKind(text: string | null): text is ProviderKind {
  return text !== null && Object.hasOwn(KINDS, text);
}
