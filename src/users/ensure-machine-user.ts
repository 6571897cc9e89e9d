import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { createId } from "../crypto/secrets.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { invalidArgument } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { describeUserNameProblem, userNameKey } from "../fields/user-name.ts";

/**
 * The machine user of a name in an organization, added where there is none yet.
 *
 * The function resolves to the user's id. It throws SignetError: INVALID_ARGUMENT for a name that breaks the rules or
 * that a human user has, or what the database gives.
 */
export function createEnsureMachineUser({ db, clock }: { db: Kysely<Tables>; clock: Clock }) {
  const ensureUser = prepareEnsureUser(db);

  return async (orgId: string, givenName: string): Promise<string> => {
    const userName = givenName.trim();
    const problem = describeUserNameProblem(userName);
    if (problem !== undefined) throw invalidArgument({ field: "userName", description: problem });
    const [user] = await ensureUser({
      ownerId: orgId,
      aggregateId: createId(),
      editorId: null,
      userName,
      userNameKey: userNameKey(userName),
      now: clock(),
      events: eventsToJson([{ type: "user.machine.added", payload: { userName } }]),
    });
    if (user?.kind !== "machine") {
      throw invalidArgument({ field: "userName", description: "is the name of a user who is no machine" });
    }
    return user.id;
  };
}

interface EnsureUserValues extends EventValues {
  userName: string;
  userNameKey: string;
  now: Date;
}

function prepareEnsureUser(db: Kysely<Tables>) {
  return prepareStatementOn<EnsureUserValues, { id: string; kind: "human" | "machine" }>(db, (param) =>
    db
      .with("created", (query) =>
        query
          .insertInto("users")
          .values({
            org_id: param("ownerId", "uuid"),
            id: param("aggregateId", "uuid"),
            kind: "machine",
            user_name: param("userName", "text"),
            user_name_key: param("userNameKey", "text"),
            sequence: sql`jsonb_array_length(${param("events", "jsonb")})`,
            created_at: param("now", "timestamptz"),
            changed_at: param("now", "timestamptz"),
          })
          .onConflict((conflict) => conflict.constraint("users__user_name").doNothing())
          .returning(["id", "kind", "sequence", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .selectFrom("created")
      .select(["id", "kind"])
      .unionAll((eb) =>
        eb
          .selectFrom("users")
          .select(["id", "kind"])
          .where("org_id", "=", param("ownerId", "uuid"))
          .where("user_name_key", "=", param("userNameKey", "text")),
      ),
  );
}
