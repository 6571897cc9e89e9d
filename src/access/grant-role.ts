import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { ROLES, type Role } from "./roles.ts";

/** Who gets which role, and where: the instance for an instance role, an organization for any other. */
export interface Grant {
  readonly user: { readonly id: string; readonly orgId: string };
  readonly role: Role;
  readonly scopeId: string;
}

/** Gives a user a role. One that the user has already changes nothing. */
export function createGrantRole({ db, clock }: { db: Kysely<Tables>; clock: Clock }) {
  const statements = { instance: prepareInsertMember(db, "instance"), org: prepareInsertMember(db, "orgs") };

  return async ({ user, role, scopeId }: Grant): Promise<void> => {
    const { scope } = ROLES[role];
    const payload = { userId: user.id, userOrgId: user.orgId, role };
    await statements[scope]({
      ownerId: scopeId,
      aggregateId: scopeId,
      editorId: null,
      userId: user.id,
      userOrgId: user.orgId,
      role,
      now: clock(),
      events: eventsToJson([{ type: `${scope}.member.added`, payload }]),
    });
  };
}

interface InsertMemberValues extends EventValues {
  userId: string;
  userOrgId: string;
  role: Role;
  now: Date;
}

function prepareInsertMember(db: Kysely<Tables>, scopeTable: "instance" | "orgs") {
  return prepareStatementOn<InsertMemberValues, unknown>(db, (param) =>
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
          .set({
            sequence: sql<bigint>`sequence + jsonb_array_length(${param("events", "jsonb")})`,
            changed_at: sql<Date>`greatest(changed_at, ${param("now", "timestamptz")})`,
          })
          .where("id", "in", (eb) => eb.selectFrom("granted").select("scope_id"))
          .returning(["sequence", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .selectFrom("changed")
      .selectAll(),
  );
}
