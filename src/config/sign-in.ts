import { availableParallelism } from "node:os";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { boolean, integer, isDomain, list } from "./schemas.ts";
import { type Values, variable } from "./variables.ts";

const PASSKEY_OFFERS = ["once", "never"] as const;

const PASSWORD_HASHES = ["bcrypt", "argon2id"] as const;

/** Passwords, passkeys and identity providers. */
export interface SignInConfig {
  /** The scheme of new password hashes. */
  readonly passwordHash: (typeof PASSWORD_HASHES)[number];
  readonly bcryptCost: number;
  readonly hashThreads: number;
  /** Whether organizations' identity providers may be at addresses that are not public. */
  readonly idpAllowPrivateNetworks: boolean;
  /** The hosts whose metadata documents make clients that nobody registers. */
  readonly clientMetadataHosts: readonly string[];
  /** Relying party id for passkeys (WebAuthn): a domain. */
  readonly webauthnRpId: string;
  /** Whether users who sign in with a password are asked once to add a passkey. */
  readonly passkeyOffer: (typeof PASSKEY_OFFERS)[number];
  /** Whether users may delete their own account. */
  readonly accountDeletion: boolean;
}

export const SIGN_IN_VARIABLES = {
  PASSWORD_HASH: variable(
    z.enum(PASSWORD_HASHES) as z.ZodType<(typeof PASSWORD_HASHES)[number], string>,
    `one of ${PASSWORD_HASHES.join(", ")}`,
  ),
  BCRYPT_COST: variable(integer(4, 16), "an integer from 4 to 16"),
  HASH_THREADS: variable(integer(1, 256), "an integer from 1 to 256"),
  IDP_ALLOW_PRIVATE_NETWORKS: variable(boolean(), "true or false"),
  CLIENT_METADATA_HOSTS: variable(
    list(z.string().refine((host) => isDomain(host.replace(/:\d{1,5}$/, "")))),
    "a comma-separated list of lowercase host names such as apps.example.com",
  ),
  WEBAUTHN_RP_ID: variable(z.string().refine(isDomain), "a lowercase domain, such as example.com"),
  PASSKEY_OFFER: variable(
    z.enum(PASSKEY_OFFERS) as z.ZodType<(typeof PASSKEY_OFFERS)[number], string>,
    `one of ${PASSKEY_OFFERS.join(", ")}`,
  ),
  ACCOUNT_DELETION: variable(boolean(), "true or false"),
};

export function readSignIn(values: Values<typeof SIGN_IN_VARIABLES>, publicUrl: string): SignInConfig {
  return {
    passwordHash: values.PASSWORD_HASH ?? "bcrypt",
    bcryptCost: values.BCRYPT_COST ?? 12,
    hashThreads: values.HASH_THREADS ?? availableParallelism(),
    idpAllowPrivateNetworks: values.IDP_ALLOW_PRIVATE_NETWORKS ?? false,
    clientMetadataHosts: values.CLIENT_METADATA_HOSTS ?? [],
    webauthnRpId: readRelyingPartyId(values.WEBAUTHN_RP_ID, publicUrl),
    passkeyOffer: values.PASSKEY_OFFER ?? "once",
    accountDeletion: values.ACCOUNT_DELETION ?? false,
  };
}

/** The id must be the page's host or a parent domain of it (WebAuthn, section 5.1.3). */
function readRelyingPartyId(given: string | undefined, publicUrl: string): string {
  const host = new URL(publicUrl).hostname;
  if (given === undefined) {
    if (isDomain(host)) return host;
    throw new ConfigError(
      `PUBLIC_URL is invalid: expected a domain or localhost as its host, because passkeys require one, got "${publicUrl}"`,
    );
  }
  if (host === given || host.endsWith(`.${given}`)) return given;
  throw new ConfigError(
    `WEBAUTHN_RP_ID is invalid: expected the host of PUBLIC_URL (${host}) or a parent domain of it, got "${given}"`,
  );
}
