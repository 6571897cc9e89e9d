import { type Actor, isAllowed } from "../actor.ts";
import { invalidArgument, SignetError } from "../errors.ts";
import type { Change } from "../events/change-object.ts";

/**
 * Checks that a caller may use the machine user of an application: one of the type `service` gets tokens for its user,
 * so anyone who controls it can act as the user. The rule is that of `addPersonalAccessToken`.
 *
 * @param userId Null for an application without one.
 * @returns Whether there is such a user. One who has been removed protects nothing.
 * @throws SignetError PERMISSION_DENIED.
 */
export async function throwIfServiceUserDenied(
  { db }: Pick<Change, "db">,
  userId: string | null,
  call: Actor,
): Promise<boolean> {
  if (userId === null) return true;
  if (!isAllowed(call, "user.write")) throw serviceUserDenied();
  const user = await db
    .selectFrom("users")
    .select("id")
    .where("org_id", "=", call.orgId)
    .where("id", "=", userId)
    .where("kind", "=", "machine")
    .executeTakeFirst();
  if (user === undefined) return false;
  const roles = await db
    .selectFrom("members")
    .select("scope_id")
    .where("user_org_id", "=", call.orgId)
    .where("user_id", "=", userId)
    .execute();
  for (const { scope_id: scope } of roles) {
    if (!isAllowed(call, scope === call.orgId ? "org.member.write" : "iam.member.write")) throw serviceUserDenied();
  }
  return true;
}

function serviceUserDenied(): SignetError {
  return new SignetError(
    "PERMISSION_DENIED",
    "serviceUserId: only callers with the permission user.write and every role of the user may set it, or change " +
      "applications that have it",
  );
}

/** The same for a machine user that an application gets. @throws SignetError INVALID_ARGUMENT for an unknown one. */
export async function checkServiceUser(change: Pick<Change, "db">, userId: string | null, call: Actor): Promise<void> {
  if (await throwIfServiceUserDenied(change, userId, call)) return;
  throw invalidArgument({ field: "serviceUserId", description: SERVICE_USER_RULE });
}

export const SERVICE_USER_RULE = "must be the id of a machine user of the organization that owns the application";
