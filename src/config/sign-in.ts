import { availableParallelism } from "node:os";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { boolean, integer, isDomain, list } from "./schemas.ts";
import { choice, type Values, variable } from "./variables.ts";

export const SIGN_IN_VARIABLES = {
  PASSWORD_HASH: choice("bcrypt", "argon2id"),
  BCRYPT_COST: variable(integer(4, 16), "an integer from 4 to 16"),
  HASH_THREADS: variable(integer(1, 256), "an integer from 1 to 256"),
  IDP_ALLOW_PRIVATE_NETWORKS: variable(boolean(), "true or false"),
  CLIENT_METADATA_HOSTS: variable(
    list(z.string().refine((host) => isDomain(host.replace(/:\d{1,5}$/, "")))),
    "a comma-separated list of lowercase host names such as apps.example.com",
  ),
  WEBAUTHN_RP_ID: variable(z.string().refine(isDomain), "a lowercase domain, such as example.com"),
  PASSKEY_OFFER: choice("once", "never"),
  ACCOUNT_DELETION: variable(boolean(), "true or false"),
};

/** Passwords, passkeys and identity providers. */
export type SignInConfig = Readonly<ReturnType<typeof readSignIn>>;

export function readSignIn(values: Values<typeof SIGN_IN_VARIABLES>, publicUrl: string) {
  return {
    /** The scheme of new password hashes. */
    passwordHash: values.PASSWORD_HASH ?? "bcrypt",
    bcryptCost: values.BCRYPT_COST ?? 12,
    hashThreads: values.HASH_THREADS ?? availableParallelism(),
    /** Whether organizations' identity providers may be at addresses that are not public. */
    idpAllowPrivateNetworks: values.IDP_ALLOW_PRIVATE_NETWORKS ?? false,
    /** The hosts whose metadata documents make clients that nobody registers. */
    clientMetadataHosts: values.CLIENT_METADATA_HOSTS ?? [],
    /** Relying party id for passkeys (WebAuthn): a domain. */
    webauthnRpId: readRelyingPartyId(values.WEBAUTHN_RP_ID, publicUrl),
    /** Whether users who sign in with a password are asked once to add a passkey. */
    passkeyOffer: values.PASSKEY_OFFER ?? "once",
    /** Whether users may delete their own account. */
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
