import { type Expression, sql } from "kysely";
import { createId } from "../../crypto/secrets.ts";
import { userNameTaken } from "../../database/failure.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { invalidArgument } from "../../errors.ts";
import { createdColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../../events/append-events.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { trimText } from "../../fields/trim-text.ts";
import { describeUserNameProblem } from "../../fields/user-name.ts";
import { isFoundByOther, type NewName, NOBODY, toNewName } from "../found-by-other.ts";

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
  const [user] = await ensureUser(db, {
    ownerId: orgId,
    aggregateId: createId(),
    editorId: null,
    ...toNewName(userName),
    now: clock(),
    events: eventsToJson([{ type: "user.machine.added", payload: { userName } }]),
  });
  if (user === undefined) throw userNameTaken();
  if (user.kind !== "machine") {
    throw invalidArgument({ field: "userName", description: "is the name of a human user" });
  }
  return { id: user.id, isNew: user.is_new };
}

interface EnsureUserValues extends EventValues, NewName {}

interface EnsuredRow {
  id: string;
  kind: "human" | "machine";
  is_new: boolean;
}

/** Returns no row if the name is another user's verified address or number. */
const ensureUser = prepareStatement<EnsureUserValues, EnsuredRow>((db, param) => {
  const columns = {
    org_id: param("ownerId", "uuid"),
    id: param("aggregateId", "uuid"),
    kind: sql.lit("machine"),
    user_name: param("userName", "text"),
    user_name_key: param("userNameKey", "text"),
    ...createdColumns(param),
  };
  const isFree = (userId: Expression<string>) =>
    sql<boolean>`not ${isFoundByOther(param, { orgId: param("ownerId", "uuid"), userId })}`;
  return db
    .with("created", (query) =>
      query
        .insertInto("users")
        .columns(Object.keys(columns) as (keyof typeof columns)[])
        .expression(sql`select ${sql.join(Object.values(columns))} where ${isFree(NOBODY)}`)
        .onConflict((conflict) => conflict.constraint("users__user_name").doNothing())
        .returning(["id", "kind", "sequence", "changed_at"]),
    )
    .with("appended", () => appendEvents(param, "created"))
    .selectFrom("created")
    .select(["id", "kind", sql<boolean>`true`.as("is_new")])
    .unionAll((eb) =>
      eb
        .selectFrom("users")
        .select(["id", "kind", sql<boolean>`false`.as("is_new")])
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("user_name_key", "=", param("userNameKey", "text"))
        .where(isFree(sql.ref("users.id"))),
    );
});
