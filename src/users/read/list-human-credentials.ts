import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { userNotFound } from "../user-not-found.ts";
import type { GetUserByIdParts } from "./get-user-by-id.ts";

/**
 * Returns whether the sign-in asks a human user for one-time codes: the only second factor so far
 * (docs/reference/credentials.md).
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function listHumanAuthFactors(
  { db, isOneTimeCode }: Pick<GetUserByIdParts, "isOneTimeCode"> & { readonly db: Database },
  { userId }: { readonly userId: string },
  call: Call,
): Promise<{ readonly hasOneTimeCode: boolean }> {
  const [user] = isId(userId) ? await selectCode(db, { orgId: call.orgId, userId }, call) : [];
  if (user === undefined) throw userNotFound("userId: no human user", userId);
  const { id, otp_code: otpCode, otp_code_key: otpCodeKey } = user;
  return { hasOneTimeCode: otpCode !== null && otpCodeKey !== null && isOneTimeCode({ id, otpCode, otpCodeKey }) };
}

interface CodeRow {
  id: string;
  otp_code: Buffer | null;
  otp_code_key: string | null;
}

const selectCode = prepareStatement<{ orgId: string; userId: string }, CodeRow>((db, param) =>
  db
    .selectFrom("users")
    .select(["id", "otp_code", "otp_code_key"])
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("userId", "uuid"))
    .where("kind", "=", "human"),
);

/**
 * Lists the passkeys of a human user of the organization (docs/reference/credentials.md).
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function listHumanPasswordless(
  { db }: { readonly db: Database },
  { userId }: { readonly userId: string },
  call: Call,
): Promise<PasskeyRow[]> {
  const rows = isId(userId) ? await selectPasskeys(db, { orgId: call.orgId, userId }, call) : [];
  if (rows.length === 0) throw userNotFound("userId: no human user", userId);
  return rows.flatMap(({ id, name }) => (id === null ? [] : { id, name: name ?? "" }));
}

/** A passkey of a user. */
export interface PasskeyRow {
  readonly id: string;
  /** May be empty. */
  readonly name: string;
}

/** The maximum number of passkeys returned. Each is registered with a separate link. */
const MOST = 1_000;

/** A row for each passkey. A user without passkeys has one row without an id. */
const selectPasskeys = prepareStatement<{ orgId: string; userId: string }, { id: string | null; name: string | null }>(
  (db, param) =>
    db
      .selectFrom("users")
      .leftJoin("passkeys", (join) =>
        join.onRef("passkeys.org_id", "=", "users.org_id").onRef("passkeys.user_id", "=", "users.id"),
      )
      .select(["passkeys.id", "passkeys.name"])
      .where("users.org_id", "=", param("orgId", "uuid"))
      .where("users.id", "=", param("userId", "uuid"))
      .where("users.kind", "=", "human")
      .orderBy("passkeys.created_at")
      .orderBy("passkeys.id")
      .limit(MOST),
);
