/** How the sign-in page shows a provider: the number of a `signet.v1.StylingType`. */
export const STYLING_TYPE = { unspecified: 0, google: 1 } as const;

/** The claim that a field of a registered user is taken from: the number of a `signet.v1.OIDCMappingField`. */
export const MAPPING_FIELD = { unspecified: 0, preferredUsername: 1, email: 2 } as const;

/** `signet.v1.AutoLinkingOption`: how a user of a provider is linked without confirmation. */
export const AUTO_LINKING = { none: 0, email: 2 } as const;
