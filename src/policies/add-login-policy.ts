import { sql } from "kysely";
import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { LoginPolicy } from "./login-policy.ts";

export interface ChangePolicyParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** The call of an operation that changes a policy. */
export type PolicyCall = Call<Principal | Operator>;

/** The values of a statement that changes the policy of an owner, whose events are those of the owner. */
export interface PolicyValues extends EventValues {
  /** In JSON. */
  settings: string;
}

export function toPolicyValues(
  { clock }: ChangePolicyParts,
  ownerId: string,
  event: NewEvent,
  { userId }: PolicyCall,
): PolicyValues {
  const settings = JSON.stringify(event.payload);
  return { ownerId, aggregateId: ownerId, editorId: userId, settings, now: clock(), events: eventsToJson([event]) };
}

/**
 * Gives the organization of the call a login policy of its own (docs/api.md).
 *
 * @throws SignetError POLICY_EXISTS, or for a failure of the database.
 */
export async function addLoginPolicy(
  parts: ChangePolicyParts,
  policy: LoginPolicy,
  call: PolicyCall,
): Promise<Changed> {
  const event = { type: "org.login.policy.added", payload: policy } as const;
  const [row] = await insertPolicy(parts.db, toPolicyValues(parts, call.orgId, event, call), call);
  if (row === undefined) throw new Error("the organization of the call does not exist");
  return toChanged(row, call.orgId);
}

const insertPolicy = prepareWrite<PolicyValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("changed", (query) =>
        query
          .updateTable("orgs")
          .set(changedColumns(param, "orgs"))
          .where("id", "=", param("ownerId", "uuid"))
          .returning(["orgs.id", "orgs.sequence", "orgs.changed_at"]),
      )
      .with("created", (query) =>
        query
          .insertInto("login_policies")
          .columns(["owner_id", "settings", "sequence", "created_at", "changed_at"])
          .expression(
            query
              .selectFrom("changed")
              .select("changed.id")
              .select(sql<LoginPolicy>`${param("settings", "jsonb")}`.as("settings"))
              .select(["changed.sequence", "changed.changed_at as created_at", "changed.changed_at"]),
          )
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("result", (query) => query.selectFrom("created").selectAll()),
  ),
);
