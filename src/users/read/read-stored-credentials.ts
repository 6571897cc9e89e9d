import type { Keyring } from "../../crypto/keyring.ts";
import type { Database } from "../../database/database.ts";
import { USER_SEALED } from "../user-sealed.ts";

/** What no call returns: credentials as they are stored, for the operator who moves users to another system. */
export interface StoredCredentials {
  /** Modular Crypt Format. */
  readonly passwordHash: string | undefined;
  /** The secret of one-time codes, decrypted. */
  readonly otp: string | undefined;
  readonly passkeys: readonly StoredPasskey[];
  /** Recovery codes are stored as hashes, so they cannot be moved. */
  readonly recoveryCodes: number;
}

export interface StoredPasskey {
  /** base64url. */
  readonly id: string;
  /** COSE key (RFC 9052). */
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly name: string;
  /** What the passkey returns at a sign-in; empty if it is not known. */
  readonly userHandle: Buffer;
  /** Undefined if it is not known. */
  readonly isBackupEligible: boolean | undefined;
}

/**
 * Reads the credentials of users of an organization, by id.
 *
 * @param includes Whether to read hashes, and to decrypt secrets.
 */
export async function readStoredCredentials(
  { db, keyring }: { readonly db: Database; readonly keyring: Keyring },
  orgId: string,
  userIds: readonly string[],
  includes: { readonly hashes: boolean; readonly secrets: boolean },
): Promise<Map<string, StoredCredentials>> {
  const [users, passkeys, codes] = await Promise.all([
    db
      .selectFrom("users")
      .select(["id", "password_hash", "otp_code", "otp_code_key"])
      .where("org_id", "=", orgId)
      .where("id", "in", userIds)
      .execute(),
    db
      .selectFrom("passkeys")
      .select(["user_id", "id", "public_key", "counter", "name", "user_handle", "device_type"])
      .where("org_id", "=", orgId)
      .where("user_id", "in", userIds)
      .orderBy("created_at")
      .orderBy("id")
      .execute(),
    db
      .selectFrom("recovery_codes")
      .select((builder) => ["user_id", builder.fn.countAll<string>().as("count")])
      .where("org_id", "=", orgId)
      .where("user_id", "in", userIds)
      .groupBy("user_id")
      .execute(),
  ]);
  const credentials = users.map(({ id, password_hash, otp_code: ciphertext, otp_code_key: keyId }) => {
    const isSecret = includes.secrets && ciphertext !== null && keyId !== null;
    return [
      id,
      {
        passwordHash: (includes.hashes && password_hash) || undefined,
        otp: isSecret ? keyring.open({ ...USER_SEALED, rowId: id }, { keyId, ciphertext }) : undefined,
        passkeys: passkeys.flatMap(({ user_id, id: passkeyId, public_key: publicKey, counter, name, ...passkey }) =>
          user_id === id ? [{ id: passkeyId, publicKey, counter, name, ...toKnown(id, passkey) }] : [],
        ),
        recoveryCodes: Number(codes.find(({ user_id }) => user_id === id)?.count ?? 0),
      },
    ] as const;
  });
  return new Map(credentials);
}

/** Passkeys that were registered here have the id of the user as handle. */
function toKnown(
  userId: string,
  { user_handle: handle, device_type: deviceType }: { user_handle: Buffer | null; device_type: string },
) {
  return {
    userHandle: handle ?? Buffer.from(userId.replaceAll("-", ""), "hex"),
    isBackupEligible: deviceType === "unknown" ? undefined : deviceType === "multiDevice",
  };
}
