import { sql } from "kysely";
import { type Call, requireUser } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { prepareLookUp } from "../../database/prepare-look-up.ts";
import type { RunTogether } from "../../database/run-together.ts";
import type { Tables } from "../../database/tables.ts";
import { userNotFound } from "../user-not-found.ts";
import { USER_COLUMNS, type UserRow } from "./user-row.ts";

export interface GetUserByIdParts {
  readonly runTogether: RunTogether;
  /** Whether the stored value is a secret of one-time codes, and not any other text that an import has stored. */
  readonly isOneTimeCode: (user: { id: string; otpCode: Buffer; otpCodeKey: string }) => boolean;
}

/**
 * Returns a user of the organization (docs/reference/read-users.md).
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function getUserById(
  { runTogether, isOneTimeCode }: GetUserByIdParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<UserRow & { readonly hasUnusableOtpCode: boolean }> {
  const row = isId(id) ? await runTogether(GET_USER, { orgId: call.orgId, id: id.toLowerCase() }, call) : undefined;
  if (row === undefined) throw userNotFound("id: no user", id);
  const { otp_code: otpCode, otp_code_key: otpCodeKey } = row;
  // Not in lists: decrypting and parsing the codes of 1,000 users would take 70 ms.
  const hasOtpCode = row.kind === "human" && otpCode !== null && otpCodeKey !== null;
  return { ...row, hasUnusableOtpCode: hasOtpCode && !isOneTimeCode({ id: row.id, otpCode, otpCodeKey }) };
}

/**
 * Returns the user of the caller's token (docs/reference/read-users.md), whatever organization the call acts on.
 *
 * @throws SignetError USER_NOT_FOUND if the user was removed during the call, or for a failure of the database.
 */
export async function getMyUser(
  parts: GetUserByIdParts,
  _fields: object,
  given: Call,
): Promise<UserRow & { readonly hasUnusableOtpCode: boolean }> {
  const call = requireUser(given);
  return await getUserById(parts, { id: call.userId }, { ...call, orgId: call.userOrgId });
}

type FullUserRow = UserRow & Pick<Tables["users"], "otp_code" | "otp_code_key">;

const GET_USER = prepareLookUp<{ orgId: string; id: string }, FullUserRow>(
  "get_user_by_id",
  { orgId: "uuid", id: "uuid" },
  (asked) =>
    asked
      .innerJoin("users", (join) => join.onRef("users.org_id", "=", "asked.orgId").onRef("users.id", "=", "asked.id"))
      .select(Object.entries(USER_COLUMNS).map(([name, value]) => sql`${value}`.as(name)))
      .select(["users.otp_code", "users.otp_code_key"]),
  ({ orgId }) => orgId,
);
