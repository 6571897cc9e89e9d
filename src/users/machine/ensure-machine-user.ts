import { sql } from "kysely";
import { createId } from "../../crypto/secrets.ts";
import { userNameTaken } from "../../database/failure.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { runTransaction } from "../../database/run-transaction.ts";
import { invalidArgument } from "../../errors.ts";
import { eventsToJson } from "../../events/append-events.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { trimText } from "../../fields/trim-text.ts";
import { describeUserNameProblem } from "../../fields/user-name.ts";
import { isFoundByOther, type NewName, toNewName } from "../found-by-other.ts";
import { insertMachine } from "./machine-users.ts";

/**
 * Finds the machine user with a name in an organization, or creates it.
 *
 * @returns The user's id, and whether the user is new.
 * @throws SignetError INVALID_ARGUMENT if the name is invalid or belongs to a human user, USER_NAME_TAKEN if it is another
 *   user's verified address or number, or for a failure of the database.
 */
export async function ensureMachineUser(
  { db, clock }: ChangeParts,
  orgId: string,
  givenName: string,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const userName = trimText(givenName);
  const problem = describeUserNameProblem(userName);
  if (problem !== undefined) throw invalidArgument({ field: "userName", description: problem });
  const name = toNewName(userName);
  return await runTransaction(db, { throwIfOver() {} }, async (transaction) => {
    const [user] = await selectByName(transaction, { ownerId: orgId, ...name });
    if (user?.is_free === false) throw userNameTaken();
    if (user?.kind === "human") {
      throw invalidArgument({ field: "userName", description: "is the name of a human user" });
    }
    if (user !== undefined) return { id: user.id, isNew: false };
    const id = createId();
    const [added] = await insertMachine(transaction, {
      ...{ ownerId: orgId, aggregateId: id, editorId: null, now: clock() },
      ...{ ...name, name: null, description: null },
      events: eventsToJson([{ type: "user.machine.added", payload: { userName } }]),
    });
    if (added === undefined) throw userNameTaken();
    return { id, isNew: true };
  });
}

interface NamedUser {
  id: string;
  kind: "human" | "machine";
  /** False if the name is another user's verified address or number. */
  is_free: boolean;
}

const selectByName = prepareStatement<NewName & { ownerId: string }, NamedUser>((db, param) =>
  db
    .selectFrom("users")
    .select(["id", "kind"])
    .select(sql<boolean>`not ${isFoundByOther(param, { orgId: param("ownerId", "uuid") })}`.as("is_free"))
    .where("org_id", "=", param("ownerId", "uuid"))
    .where("user_name_key", "=", param("userNameKey", "text")),
);
