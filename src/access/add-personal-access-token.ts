import { sql } from "kysely";
import type { Call } from "../call.ts";
import { createId, createTokenSecret, hashSecret } from "../crypto/secrets.ts";
import { bytesToText } from "../database/command-list.ts";
import { invalidArgument } from "../errors.ts";
import type { Changed } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../users/change/change-user.ts";
import { prepareUserChange } from "../users/change/prepare-user-change.ts";

/** A checked AddPersonalAccessTokenRequest. */
export interface NewToken {
  readonly userId: string;
  /** Null for a token that does not expire. */
  readonly expiresAt: Date | null;
}

/**
 * Adds a personal access token for a machine user (docs/reference/machine-users.md). Only its SHA-256 is stored.
 *
 * @throws SignetError INVALID_ARGUMENT, USER_NOT_FOUND, PERMISSION_DENIED for a user with a role that the caller may not grant, or for a
 *   failure of the database.
 */
export async function addPersonalAccessToken(
  parts: ChangeUserParts,
  { userId, expiresAt }: NewToken,
  call: Call,
): Promise<Changed & { readonly tokenId: string; readonly token: string }> {
  if (expiresAt !== null && expiresAt <= parts.clock()) {
    throw invalidArgument({ field: "expirationDate", description: "must be in the future" });
  }
  const tokenId = createId();
  const token = createTokenSecret();
  const lastFour = token.slice(-4);
  const payload = { tokenId, lastFour, expiresAt: expiresAt?.toISOString() ?? null };
  const plans = [toPlan([{ type: "user.token.added", payload }])];
  const values = { userId, tokenId, hash: bytesToText(hashSecret(token)), lastFour, expiresAt, plans };
  const created = { tokenId, token };
  return { ...created, ...(await changeUser(parts, ADD_TOKEN, values, call, created)) };
}

interface TokenValues {
  tokenId: string;
  /** Made by `bytesToText`. */
  hash: string;
  lastFour: string;
  expiresAt: Date | null;
}

const ADD_TOKEN = prepareUserChange<TokenValues>({
  name: "add_personal_access_token",
  kind: "machine",
  columns: { tokenId: "uuid", hash: "bytea", lastFour: "text", expiresAt: "timestamptz" },
  writes: (planned) => sql`(
    insert into tokens (id, org_id, user_id, hash, last_four, created_at, expires_at)
    select ${planned("tokenId", "uuid")}, ${planned("ownerId", "uuid")}, ${planned("aggregateId", "uuid")},
      ${planned("hash", "bytea")}, ${planned("lastFour", "text")}, ${planned("now", "timestamptz")},
      ${planned("expiresAt", "timestamptz")}
    from planned)`,
  set: () => ({}),
});
