import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import type { Database } from "../../database/database.ts";
import type { Problems } from "../../errors.ts";
import {
  type ChangeQuery,
  type ChangeRange,
  type ChangeRow,
  checkChangeQuery,
  listChanges,
} from "../../events/list-changes.ts";
import { userNotFound } from "../user-not-found.ts";

/** A checked ListUserChangesRequest. */
interface UserChangeSearch {
  readonly userId: string;
  readonly range: ChangeRange;
}

/** Checks the rules of ListUserChangesRequest that the schema cannot express. */
export function checkListUserChanges(
  { userId, query }: { readonly userId: string; readonly query?: ChangeQuery | undefined },
  problems: Problems,
): UserChangeSearch {
  return { userId, range: checkChangeQuery(query, problems) };
}

/**
 * Lists the events of a user of the organization, without their payloads (docs/reference/read-users.md).
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function listUserChanges(
  { db }: { readonly db: Database },
  { userId, range }: UserChangeSearch,
  call: Call,
): Promise<ChangeRow[]> {
  const { orgId } = call;
  const rows = isId(userId) ? await listChanges(db, { orgId, id: userId, kind: "user" }, range, call) : undefined;
  if (rows === undefined) throw userNotFound("userId: no user", userId);
  return rows;
}
