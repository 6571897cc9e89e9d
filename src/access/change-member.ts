import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { prepareWrite, type WriteCaller } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import type { ObjectRow } from "../events/object-details.ts";
import { retryWhenChanged } from "../events/retry-when-changed.ts";

export interface ChangeMemberParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/** A change of the roles that a user has in a scope: the instance or an organization. */
export interface MemberChange {
  /**
   * - `add`: a user without roles in the scope gets these.
   * - `grant`: the user gets these in addition to existing roles.
   * - `replace`: the roles of the user become these.
   * - `remove`: the user loses all roles.
   */
  readonly action: "add" | "grant" | "replace" | "remove";
  readonly scope: { readonly kind: "instance" | "org"; readonly id: string };
  readonly userId: string;
  /** The organization that the user must belong to; null for any. */
  readonly userOrgId: string | null;
  /** Without duplicates; empty for `remove`. */
  readonly roles: readonly string[];
  /** The user's expected current roles, sorted; if they differ, the outcome is `changed`. */
  readonly expected?: readonly string[];
  readonly editorId: string | null;
  /** The event to write if something changes. */
  readonly events: readonly NewEvent[];
}

/** The membership after the change. Its sequence and times come from events of the scope. */
export interface ChangedMember extends ObjectRow {
  readonly outcome: "written" | "same" | "exists" | "no user" | "no member" | "changed";
}

/**
 * Changes the roles of a user in a scope. Concurrent changes in one scope run one after another.
 *
 * @returns The membership. With the outcome `no user` or `no member`, sequence and times are meaningless.
 * @throws SignetError ABORTED, or for a failure of the database.
 */
export async function changeMember(
  { db, clock }: ChangeMemberParts,
  { scope, events, roles, expected, ...change }: MemberChange,
  caller?: WriteCaller,
): Promise<ChangedMember> {
  const statement = scope.kind === "instance" ? changeInstanceMember : changeOrgMember;
  const values = {
    ...change,
    ownerId: scope.id,
    aggregateId: scope.id,
    roles: [...roles],
    expected: expected === undefined ? null : [...expected],
    events: eventsToJson(events),
    now: clock(),
  };
  return await retryWhenChanged(async () => {
    const [row] = await statement(db, values, caller);
    if (row === undefined) throw new SignetError("ORG_NOT_FOUND", "the organization does not exist");
    return row.outcome === "stale" ? undefined : (row as ChangedMember);
  });
}

interface MemberValues extends EventValues {
  action: MemberChange["action"];
  userId: string;
  userOrgId: string | null;
  roles: string[];
  expected: string[] | null;
}

/** `stale`: the roles have changed since the statement's snapshot, and nothing was written. */
interface MemberRow extends ObjectRow {
  outcome: ChangedMember["outcome"] | "stale";
}

const changeInstanceMember = prepareMemberChange("instance");
const changeOrgMember = prepareMemberChange("orgs");

/**
 * The statement locks the scope, whose sequence every change increments. It writes nothing if the sequence differs from
 * the one in its snapshot, from which it reads the roles. It also locks the user to prevent a concurrent removal.
 */
function prepareMemberChange(scopeTable: "instance" | "orgs") {
  return prepareWrite<MemberValues, MemberRow>(
    (db, param) => {
      const given: RawBuilder<string> = sql`${param("action", "text")}`;
      const roles: RawBuilder<string[]> = sql`${param("roles", "text[]")}`;
      const outcome = sql<MemberRow["outcome"]>`case
      when held.sequence <> seen.sequence then 'stale'
      when person.id is null then case when ${given} in ('replace', 'remove') then 'no member' else 'no user' end
      when ${given} in ('replace', 'remove') and member.roles is null then 'no member'
      when ${param("expected", "text[]")} <> member.roles then 'changed'
      when ${given} = 'add' and member.roles is not null then 'exists'
      when ${given} = 'grant' and ${roles} <@ member.roles then 'same'
      when ${given} = 'replace' and ${roles} @> member.roles and ${roles} <@ member.roles then 'same'
      else 'written' end`;
      return db
        .with("held", (query) =>
          query
            .selectFrom(scopeTable)
            .select("sequence")
            .where("id", "=", param("aggregateId", "uuid"))
            .forNoKeyUpdate(),
        )
        .with("seen", (query) =>
          query.selectFrom(scopeTable).select("sequence").where("id", "=", param("aggregateId", "uuid")),
        )
        .with("person", (query) =>
          query
            .selectFrom("users")
            .select(["org_id", "id"])
            .where("id", "=", param("userId", "uuid"))
            .where("org_id", "=", sql<string>`coalesce(${param("userOrgId", "uuid")}, org_id)`)
            .forKeyShare(),
        )
        .with("member", (query) =>
          query
            .selectFrom("members")
            .select(["sequence", "created_at", "changed_at"])
            .select(sql<string[]>`array_agg(role order by role collate "C")`.as("roles"))
            .where("scope_id", "=", param("aggregateId", "uuid"))
            .where("user_id", "=", param("userId", "uuid"))
            .groupBy(["sequence", "created_at", "changed_at"]),
        )
        .with("decided", (query) =>
          query
            .selectFrom("held")
            .innerJoin("seen", (join) => join.onTrue())
            .leftJoin("person", (join) => join.onTrue())
            .leftJoin("member", (join) => join.onTrue())
            .select(["person.org_id", "person.id", "member.sequence", "member.created_at", "member.changed_at"])
            .select([
              outcome.as("outcome"),
              sql<
                string[]
              >`case when ${given} = 'grant' then coalesce(member.roles, '{}') || ${roles} else ${roles} end`.as(
                "roles",
              ),
            ]),
        )
        .with("changed", (query) =>
          query
            .updateTable(scopeTable)
            .from("decided")
            .set(changedColumns(param, scopeTable))
            .where(`${scopeTable}.id`, "=", param("aggregateId", "uuid"))
            .where("decided.outcome", "=", "written")
            .returning([`${scopeTable}.sequence`, `${scopeTable}.changed_at`]),
        )
        .with("lost", (query) =>
          query
            .deleteFrom("members")
            .using(["changed", "decided"])
            .where("members.scope_id", "=", param("aggregateId", "uuid"))
            .where("members.user_id", "=", param("userId", "uuid"))
            .where(sql<boolean>`members.role <> all (decided.roles)`),
        )
        .with("gained", (query) =>
          query
            .insertInto("members")
            .columns(["user_org_id", "user_id", "scope_id", "role", "created_at", "sequence", "changed_at"])
            .expression(
              query
                .selectFrom("changed")
                .innerJoin("decided", (join) => join.onTrue())
                .innerJoin(
                  sql<{ role: string }>`lateral unnest(decided.roles)`.as<"given">(sql`given (role)`),
                  (join) => join.onTrue(),
                )
                .distinct()
                .select(["decided.org_id", "decided.id"])
                .select(sql<string>`${param("aggregateId", "uuid")}`.as("scope_id"))
                .select("given.role")
                .select(({ fn }) => fn.coalesce("decided.created_at", "changed.changed_at").as("created_at"))
                .select(["changed.sequence", "changed.changed_at"])
                .$castTo<Tables["members"]>(),
            )
            .onConflict((conflict) =>
              conflict.constraint("members__pkey").doUpdateSet(({ ref }) => ({
                sequence: ref("excluded.sequence"),
                changed_at: ref("excluded.changed_at"),
              })),
            ),
        )
        .with("appended", () => appendEvents(param, "changed"))
        .selectFrom("decided")
        .leftJoin("changed", (join) => join.onTrue())
        .select("decided.outcome")
        .select(({ fn }) => [
          fn.coalesce("changed.sequence", "decided.sequence").as("sequence"),
          fn.coalesce("decided.created_at", "changed.changed_at").as("created_at"),
          fn.coalesce("changed.changed_at", "decided.changed_at").as("changed_at"),
        ])
        .$castTo<MemberRow>();
    },
    { isDone: sql<boolean>`carried_out.outcome in ('written', 'same')` },
  );
}
