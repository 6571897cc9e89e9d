/** The settings of SAML providers. The column `issuer` has the entity id. */
export interface SamlSettings {
  /** Where a request is sent by a redirect, and by a form; empty if the provider has no such binding. */
  readonly redirectUrl: string;
  readonly postUrl: string;
  /** Whose keys sign assertions: DER in Base64. */
  readonly certificates: readonly string[];
  readonly binding: "unspecified" | "post" | "redirect";
  readonly withSignedRequest: boolean;
  readonly nameIdFormat: keyof typeof NAME_ID_FORMATS;
  /** The attribute with the id of a user whose name is transient; empty for none. */
  readonly transientMappingAttributeName: string;
  /** Whether a response that answers no request is accepted. */
  readonly allowIdpInitiated: boolean;
}

/** SAML 2.0 Core, section 8.3. */
export const NAME_ID_FORMATS = {
  unspecified: "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
  email: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
  persistent: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  transient: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
} as const;

/** The settings of a provider that only some kinds have, as stored in the column `config` and in events. */
export interface IdpSettings extends Partial<SamlSettings> {
  /** Read claims from the ID token only. */
  readonly isIdTokenMapping?: boolean;
  readonly usePkce?: boolean;
  /** Part of the URLs of Microsoft: `common`, `organizations`, `consumers`, or the id or domain of one tenant. */
  readonly tenant?: string;
  readonly emailVerified?: boolean;
  /** The claim of Microsoft by which users are linked; absent for `sub`. */
  readonly userIdAttribute?: "sub" | "oid" | undefined;
  readonly teamId?: string;
  readonly keyId?: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly userEndpoint?: string;
  /** The member of the user endpoint's response with the id of the user. */
  readonly idAttribute?: string;
  /** An option of all kinds except SAML; absent for the default of the kind: see `requiresAuthTime`. */
  readonly requireAuthTime?: boolean;
  /** An option of kinds with `canBeTrusted`: an address counts as verified unless the provider says that it is not. */
  readonly trustEmail?: boolean;
}

interface Kind {
  readonly hasIssuer?: boolean;
  /** Those that are a field of the request, except of SAML. */
  readonly settings: readonly KindSetting[];
  /** Whether it sends no `auth_time` by default, but documents that `prompt=login` prompts the user. */
  readonly promptsWithoutAuthTime?: boolean;
  /** Whether its providers are often those of one company, which verifies addresses but does not say so. */
  readonly canBeTrusted?: boolean;
}

/** A setting that is a field of the request of some kinds, except of SAML. */
export type KindSetting = Exclude<keyof IdpSettings, keyof SamlSettings | "requireAuthTime" | "trustEmail">;

/**
 * The kinds of identity providers, by their stored names. Checks, rows, events and responses follow from this table,
 * messages from `src/rpc/provider-kinds.ts`.
 */
const IDP_KINDS = {
  oidc: { hasIssuer: true, settings: ["isIdTokenMapping", "usePkce"], canBeTrusted: true },
  google: { settings: [] },
  azure: { settings: ["tenant", "emailVerified", "userIdAttribute"], promptsWithoutAuthTime: true },
  apple: { settings: ["teamId", "keyId"] },
  gitlab: { settings: [] },
  gitlab_self_hosted: { hasIssuer: true, settings: [] },
  github: { settings: [] },
  github_es: { settings: ["authorizationEndpoint", "tokenEndpoint", "userEndpoint"] },
  oauth: { settings: ["authorizationEndpoint", "tokenEndpoint", "userEndpoint", "idAttribute", "usePkce"] },
  saml: { settings: [], canBeTrusted: true },
} as const satisfies Record<string, Kind>;

export type IdpKind = keyof typeof IDP_KINDS;

/** The kind of a table row, in the general form. */
export function kindOf(name: IdpKind): Kind {
  return IDP_KINDS[name];
}

/** Whether a provider has to report when a user authenticated: see `isFresh`. */
export function requiresAuthTime(name: IdpKind, { requireAuthTime }: Pick<IdpSettings, "requireAuthTime">): boolean {
  return requireAuthTime ?? kindOf(name).promptsWithoutAuthTime !== true;
}

/** The settings that do not decide whom a provider names. */
export const HARMLESS_SETTINGS = [
  ...["isIdTokenMapping", "usePkce", "emailVerified", "keyId", "requireAuthTime", "trustEmail"],
  // Links are found by both claims.
  "userIdAttribute",
  ...["binding", "withSignedRequest", "allowIdpInitiated"],
] as const satisfies readonly string[];

/**
 * The settings that a caller who may change the linked users can change: those that belong to the client at the
 * provider, like its id, and the keys and URLs of an entity, which replaces them from time to time.
 */
export const CLIENT_SETTINGS = ["teamId", "tenant", "certificates", "redirectUrl", "postUrl"] as const;
