import type { Kysely } from "kysely";
import type { Clock } from "../clock.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { ROLES, type Role } from "./roles.ts";

/** A role of a user in a scope, which is the instance for an instance role, and an organization otherwise. */
export interface Grant {
  readonly user: { readonly id: string; readonly orgId: string };
  readonly role: Role;
  readonly scopeId: string;
}

/**
 * Grants a role to a user. Does nothing if the user has it already.
 *
 * @throws SignetError for a failure of the database.
 */
export async function grantRole(
  { db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock },
  { user, role, scopeId }: Grant,
): Promise<void> {
  const { scope } = ROLES[role];
  const payload = { userId: user.id, userOrgId: user.orgId, role };
  const insertMember = scope === "instance" ? insertInstanceMember : insertOrgMember;
  await insertMember(db, {
    ...payload,
    ownerId: scopeId,
    aggregateId: scopeId,
    editorId: null,
    now: clock(),
    events: eventsToJson([{ type: `${scope}.member.added`, payload }]),
  });
}

interface InsertMemberValues extends EventValues {
  userId: string;
  userOrgId: string;
  role: Role;
}

const insertInstanceMember = prepareInsertMember("instance");
const insertOrgMember = prepareInsertMember("orgs");

function prepareInsertMember(scopeTable: "instance" | "orgs") {
  return prepareStatement<InsertMemberValues, unknown>((db, param) =>
    db
      .with("granted", (query) =>
        query
          .insertInto("members")
          .values({
            user_org_id: param("userOrgId", "uuid"),
            user_id: param("userId", "uuid"),
            scope_id: param("aggregateId", "uuid"),
            role: param("role", "text"),
            created_at: param("now", "timestamptz"),
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning("scope_id"),
      )
      .with("changed", (query) =>
        query
          .updateTable(scopeTable)
          .set(changedColumns(param, scopeTable))
          .where("id", "in", (eb) => eb.selectFrom("granted").select("scope_id"))
          .returning(["sequence", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .selectFrom("changed")
      .selectAll(),
  );
}
