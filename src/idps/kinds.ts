/** The settings of a provider that only some kinds have, as stored in the column `config` and in events. */
export interface IdpSettings {
  /** Read claims from the ID token only. */
  readonly isIdTokenMapping?: boolean;
  readonly usePkce?: boolean;
  /** Part of the URLs of Microsoft: `common`, `organizations`, `consumers`, or the id or domain of one tenant. */
  readonly tenant?: string;
  readonly emailVerified?: boolean;
  readonly teamId?: string;
  readonly keyId?: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly userEndpoint?: string;
  /** The member of the user endpoint's response with the id of the user. */
  readonly idAttribute?: string;
}

interface Kind {
  readonly hasIssuer?: boolean;
  readonly settings: readonly (keyof IdpSettings)[];
}

/**
 * The kinds of identity providers, by their stored names. Checks, rows, events and responses follow from this table,
 * messages from `src/rpc/provider-kinds.ts`.
 */
const IDP_KINDS = {
  oidc: { hasIssuer: true, settings: ["isIdTokenMapping", "usePkce"] },
  google: { settings: [] },
  azure: { settings: ["tenant", "emailVerified"] },
  apple: { settings: ["teamId", "keyId"] },
  gitlab: { settings: [] },
  gitlab_self_hosted: {
    hasIssuer: true,
    settings: [],
  },
  github: { settings: [] },
  github_es: {
    settings: ["authorizationEndpoint", "tokenEndpoint", "userEndpoint"],
  },
  oauth: {
    settings: ["authorizationEndpoint", "tokenEndpoint", "userEndpoint", "idAttribute", "usePkce"],
  },
} as const satisfies Record<string, Kind>;

export type IdpKind = keyof typeof IDP_KINDS;

/** The kind of a table row, in the general form. */
export function kindOf(name: IdpKind): Kind {
  return IDP_KINDS[name];
}

/** The settings that do not decide whom a provider names. */
export const HARMLESS_SETTINGS = ["isIdTokenMapping", "usePkce", "emailVerified", "keyId"] as const;

/** The settings that belong to the client at the provider, like its id. */
export const CLIENT_SETTINGS = ["teamId", "tenant"] as const;
