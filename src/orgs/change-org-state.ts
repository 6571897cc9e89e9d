import { type RawBuilder, sql } from "kysely";
import { isAllowed, type Operator, type Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Param } from "../database/prepare.ts";
import { prepareWrite, type Write } from "../database/prepare-write.ts";
import { SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { ChangeOrgParts } from "./add-org.ts";
import { orgNotFound } from "./get-org.ts";

/**
 * Deactivates the organization of the call (docs/api.md): the tokens and sessions of its users are not valid until it is
 * reactivated, nobody can sign in to it, and its applications get no tokens. The look-ups read the state
 * (src/database/active.ts), so nothing else changes.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_STATE, ORG_PROTECTED, LAST_OWNER, PERMISSION_DENIED if a user has a role outside of
 *   the organization, and the caller may not change such users, or for a failure of the database.
 */
export async function deactivateOrg(
  parts: ChangeOrgParts,
  _fields: object,
  call: Call<Principal | Operator>,
): Promise<Changed> {
  return await changeState(parts, DEACTIVATE, "org.deactivated", call);
}

/**
 * Reactivates the organization of the call (docs/api.md). Tokens and sessions that have not ended are valid again.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_STATE, or for a failure of the database.
 */
export async function reactivateOrg(
  parts: ChangeOrgParts,
  _fields: object,
  call: Call<Principal | Operator>,
): Promise<Changed> {
  return await changeState(parts, REACTIVATE, "org.reactivated", call);
}

/** `MEMBER`: one of its users has a role outside of it. */
type Refusal = "ORG_STATE" | "ORG_PROTECTED" | "LAST_OWNER" | "MEMBER";

interface StateValues extends EventValues {
  mayChangeAllMembers: boolean;
}

async function changeState(
  { db, clock }: ChangeOrgParts,
  statement: Write<StateValues, StateRow>,
  type: "org.deactivated" | "org.reactivated",
  call: Call<Principal | Operator>,
): Promise<Changed> {
  const id = call.orgId;
  const events = eventsToJson([{ type, payload: {} }]);
  const mayChangeAllMembers = isAllowed(call, "iam.member.write");
  const values = { ownerId: id, aggregateId: id, editorId: call.userId, now: clock(), events, mayChangeAllMembers };
  const [row] = await statement(db, values, call);
  if (row === undefined) throw orgNotFound(id, "the organization does not exist");
  if (row.refusal !== null) throw toError(row.refusal);
  return toChanged(row, id);
}

function toError(refusal: Refusal): SignetError {
  return new SignetError(refusal === "MEMBER" ? "PERMISSION_DENIED" : refusal, MESSAGES[refusal]);
}

const MESSAGES: Readonly<Record<Refusal, string>> = {
  ORG_STATE: "the organization is already in this state",
  ORG_PROTECTED: "the default organization cannot be deactivated",
  LAST_OWNER: "no active user of another organization has the role INSTANCE_OWNER",
  MEMBER: "a user of the organization has a role outside of it, and the caller may not deactivate that user",
};

interface StateRow extends ObjectRow {
  refusal: Refusal | null;
}

/** Whether all active users with the role INSTANCE_OWNER belong to the organization in `held`. */
export const HAS_LAST_OWNER = sql<boolean>`not exists (
  select from members
    join users on users.org_id = members.user_org_id and users.id = members.user_id
    join orgs as other on other.id = members.user_org_id
  where members.role = 'INSTANCE_OWNER' and members.user_org_id <> held.id
    and users.state = 'active' and other.state = 'active')`;

/** Whether a user of the organization in `held` has a role outside of it. */
export const HAS_OUTSIDE_ROLE = sql<boolean>`exists (
  select from members where members.user_org_id = held.id and members.scope_id <> held.id)`;

/** Like the deactivation of one of its users, that of the organization takes the roles outside of it away. */
const DEACTIVATE = prepareStateChange(
  "inactive",
  (param) => sql`case when held.state = 'inactive' then 'ORG_STATE'
    when held.id = (select default_org_id from instance) then 'ORG_PROTECTED'
    when ${HAS_LAST_OWNER} then 'LAST_OWNER'
    when not ${param("mayChangeAllMembers", "boolean")} and ${HAS_OUTSIDE_ROLE} then 'MEMBER' end`,
);

const REACTIVATE = prepareStateChange("active", () => sql`case when held.state = 'active' then 'ORG_STATE' end`);

/** @param refuse Why the organization in `held` does not get the state; null if it does. */
function prepareStateChange(state: "active" | "inactive", refuse: (param: Param<StateValues>) => RawBuilder<unknown>) {
  return prepareWrite<StateValues, StateRow>(
    (db, param, returnRows) =>
      returnRows(
        db
          .with("held", (query) =>
            query
              .selectFrom("orgs")
              .select(["id", "state", "sequence", "created_at", "changed_at"])
              .where("id", "=", param("aggregateId", "uuid"))
              .forNoKeyUpdate(),
          )
          .with("decided", () => sql<{ refusal: Refusal | null }>`(select ${refuse(param)} as refusal from held)`)
          .with("changed", (query) =>
            query
              .updateTable("orgs")
              .from("decided")
              .set({ state: sql.lit(state), ...changedColumns(param, "orgs") })
              .where("orgs.id", "=", param("aggregateId", "uuid"))
              .where("decided.refusal", "is", null)
              .returning(["orgs.sequence", "orgs.changed_at"]),
          )
          .with("appended", () => appendEvents(param, "changed"))
          .with("result", (query) =>
            query
              .selectFrom("held")
              .innerJoin("decided", (join) => join.onTrue())
              .leftJoin("changed", (join) => join.onTrue())
              .select(["decided.refusal", "held.created_at"])
              .select(({ fn }) => [
                fn.coalesce("changed.sequence", "held.sequence").as("sequence"),
                fn.coalesce("changed.changed_at", "held.changed_at").as("changed_at"),
              ]),
          ),
      ),
    { isDone: sql<boolean>`result.refusal is null` },
  );
}
