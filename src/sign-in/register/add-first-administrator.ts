import { grantRole } from "../../access/grant-role.ts";
import type { Caller } from "../../call.ts";
import { toDatabase } from "../../database/database.ts";
import { createRunTogether } from "../../database/run-together.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { hasAdministrator } from "../../instance/has-administrator.ts";
import { type NewUser, type RegisterOutcome, registerUser } from "./register-user.ts";
import type { PendingRegistration } from "./registration.ts";

/** `has-administrator`: a person with a role in the instance has signed in since the link was opened. */
type AddAdministratorOutcome = RegisterOutcome | { readonly kind: "has-administrator" };

/**
 * Makes the first administrator: a user with the role INSTANCE_OWNER. The address counts as verified, because the holder of
 * the link owns the service, where messages cannot be sent yet.
 *
 * One transaction, so that there is never the user without the role. The lock on the instance makes another attempt wait.
 *
 * @throws SignetError for a failure of the database.
 */
export async function addFirstAdministrator(
  parts: ChangeParts,
  pending: PendingRegistration,
  newUser: NewUser,
  caller: Caller,
): Promise<AddAdministratorOutcome> {
  // What another attempt has done before it releases the lock must be visible.
  const transaction = parts.db.transaction().setIsolationLevel("read committed");
  return await transaction.execute(async (begun) => {
    const db = toDatabase(begun);
    const { id: scopeId } = await db.selectFrom("instance").select("id").forUpdate().executeTakeFirstOrThrow();
    if (await hasAdministrator(db, caller)) return { kind: "has-administrator" };
    const own = { ...parts, db, runTogether: createRunTogether(db) };
    const outcome = await registerUser(own, pending, newUser, caller);
    if (outcome.kind === "registered") await grantRole(own, { user: outcome.user, role: "INSTANCE_OWNER", scopeId });
    return outcome;
  });
}
