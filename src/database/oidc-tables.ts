/** Sessions, grants, codes and tokens of the OpenID provider. Contains no value that a client or browser presents. */
export interface OidcArtifactsTable {
  /** The model of oidc-provider, such as `AccessToken`. */
  kind: string;
  /** SHA-256 of the artifact's id. The id of a token is the token itself. */
  key: Buffer;
  payload: unknown;
  user_id: string | null;
  client_id: string | null;
  /** The key of the grant that the artifact belongs to. */
  grant_key: Buffer | null;
  /** The public id of the session that the artifact is, or belongs to. */
  session_uid: string | null;
  user_code_key: Buffer | null;
  created_at: Date;
  expires_at: Date;
  consumed_at: Date | null;
}

/** The algorithms (RFC 7518, RFC 8037) that can sign ID tokens. */
export type SigningAlgorithm = "RS256" | "ES256" | "EdDSA" | "PS256";

/** Keys that sign ID tokens. The newest key of an algorithm whose `signs_from` has passed signs; all others verify. */
export interface SigningKeysTable {
  instance_id: string;
  id: string;
  algorithm: SigningAlgorithm;
  private_jwk: Buffer;
  private_jwk_key: string;
  created_at: Date;
  /** Later than `created_at`, so that every process and client knows the key before it signs. */
  signs_from: Date;
}
