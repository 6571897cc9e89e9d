import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../events/append-events.ts";
import type { ObjectRow } from "../events/object-details.ts";

export interface MemberValues extends EventValues {
  action: "add" | "grant" | "replace" | "remove";
  userId: string;
  userOrgId: string | null;
  roles: string[];
  expected: string[] | null;
}

/** `stale`: the roles have changed since the statement's snapshot, and nothing was written. */
export interface MemberRow extends ObjectRow {
  outcome: "written" | "same" | "exists" | "no user" | "no member" | "changed" | "stale";
}

/**
 * Prepares the statement of `changeMember`. It locks the scope, whose sequence every change increments. It writes
 * nothing if the sequence differs from the one in its snapshot, from which it reads the roles. It also locks the user to
 * prevent a concurrent removal. It returns no row if there is no such scope.
 */
export function prepareMemberChange(scopeTable: "instance" | "orgs") {
  const scope = sql.table(scopeTable);
  return prepareWrite<MemberValues, MemberRow>(
    (db, param, returnRows) =>
      returnRows(
        db
          .with("held", () => sql`(select sequence from ${scope} where ${isScope(param)} for no key update)`)
          .with("seen", () => sql`(select sequence from ${scope} where ${isScope(param)})`)
          .with("held_user", () => holdUser(param))
          .with("member", () => findMember(param))
          .with("decided", () => decide(param))
          .with("changed", (query) =>
            query
              .updateTable(scopeTable)
              .from(sql<Pick<MemberRow, "outcome">>`decided`.as("decided"))
              .set(changedColumns(param, scopeTable))
              .where(`${scopeTable}.id`, "=", param("aggregateId", "uuid"))
              .where("decided.outcome", "=", "written")
              .returning([`${scopeTable}.sequence`, `${scopeTable}.changed_at`]),
          )
          .with("lost", () => deleteRoles(param))
          .with("gained", () => insertRoles(param))
          .with("appended", () => appendEvents(param, "changed"))
          .with("result", () => RESULT),
      ),
    { isDone: sql<boolean>`result.outcome in ('written', 'same')` },
  );
}

type Values = Param<MemberValues>;

const isScope = (param: Values) => sql`id = ${param("aggregateId", "uuid")}`;

function holdUser(param: Values): RawBuilder<object> {
  return sql`(
    select org_id, id from users
    where id = ${param("userId", "uuid")} and org_id = coalesce(${param("userOrgId", "uuid")}, org_id)
    for key share)`;
}

function findMember(param: Values): RawBuilder<object> {
  return sql`(
    select sequence, created_at, changed_at, array_agg(role order by role collate "C") as roles
    from members
    where scope_id = ${param("aggregateId", "uuid")} and user_id = ${param("userId", "uuid")}
    group by sequence, created_at, changed_at)`;
}

function decide(param: Values): RawBuilder<object> {
  const action = sql`${param("action", "text")}`;
  const roles = sql`${param("roles", "text[]")}`;
  return sql`(
    select held_user.org_id, held_user.id, member.sequence, member.created_at, member.changed_at,
      case
        when held.sequence <> seen.sequence then 'stale'
        when held_user.id is null then case when ${action} in ('replace', 'remove') then 'no member' else 'no user' end
        when ${action} in ('replace', 'remove') and member.roles is null then 'no member'
        when ${param("expected", "text[]")} <> member.roles then 'changed'
        when ${action} = 'add' and member.roles is not null then 'exists'
        when ${action} = 'grant' and ${roles} <@ member.roles then 'same'
        when ${action} = 'replace' and ${roles} @> member.roles and ${roles} <@ member.roles then 'same'
        else 'written' end as outcome,
      case when ${action} = 'grant' then coalesce(member.roles, '{}') || ${roles} else ${roles} end as roles
    from held cross join seen left join held_user on true left join member on true)`;
}

function deleteRoles(param: Values): RawBuilder<object> {
  return sql`(
    delete from members using changed, decided
    where members.scope_id = ${param("aggregateId", "uuid")} and members.user_id = ${param("userId", "uuid")}
      and members.role <> all (decided.roles))`;
}

function insertRoles(param: Values): RawBuilder<object> {
  return sql`(
    insert into members (user_org_id, user_id, scope_id, role, created_at, sequence, changed_at)
    select distinct decided.org_id, decided.id, ${param("aggregateId", "uuid")}, given.role,
      coalesce(decided.created_at, changed.changed_at), changed.sequence, changed.changed_at
    from changed cross join decided cross join lateral unnest(decided.roles) as given (role)
    on conflict on constraint members__pkey
      do update set sequence = excluded.sequence, changed_at = excluded.changed_at)`;
}

const RESULT = sql<MemberRow>`(
  select decided.outcome, coalesce(changed.sequence, decided.sequence) as sequence,
    coalesce(decided.created_at, changed.changed_at) as created_at,
    coalesce(changed.changed_at, decided.changed_at) as changed_at
  from decided left join changed on true)`;
