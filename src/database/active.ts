import { type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.ts";

/*
 * An organization that is deactivated keeps the sessions and tokens of its users and the states of its users and
 * applications, because a million rows cannot change at once, and because its reactivation restores them. All look-ups
 * of tokens, sessions, users who sign in, and applications therefore use these conditions. Subqueries, because
 * PostgreSQL may plan a join or `exists` to read all organizations.
 */

function stateOfOrg(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(select orgs.state from orgs where orgs.id = ${id})`;
}

/** Whether the organization with the id is active. */
export function isActiveOrg(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${stateOfOrg(id)} = 'active')`;
}

/**
 * Whether the user, and its organization, are active.
 *
 * @param table The name of the users in the statement.
 */
export function isActiveUser(table: string): RawBuilder<boolean> {
  return sql<boolean>`(
    ${sql.ref(`${table}.state`)} = 'active' and ${stateOfOrg(sql.ref(`${table}.org_id`))} = 'active')`;
}

/** The state of the user in `users`; `inactive` in an organization that is deactivated. */
export const STATE_IN_ORG = sql<Tables["users"]["state"]["__select__"]>`(
  case when ${stateOfOrg(sql.ref("users.org_id"))} = 'active' then users.state else 'inactive' end)`;

/**
 * Whether the application, and the organization that owns it, are active. The instance is always active.
 *
 * @param table The name of the applications in the statement.
 */
export function isActiveApp(table: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${table}.state`)} = 'active'
    and coalesce(${stateOfOrg(sql.ref(`${table}.owner_id`))}, 'active') = 'active')`;
}

/**
 * Whether the webhook, and its organization, are active.
 *
 * @param table The name of the webhooks in the statement.
 */
export function isActiveWebhook(table: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${table}.state`)} = 'active'
    and ${stateOfOrg(sql.ref(`${table}.owner_id`))} = 'active')`;
}

/** Whether the user with the id belongs to an active organization, or is null. */
export function isInActiveOrg(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(coalesce(
    (select ${stateOfOrg(sql.ref("member.org_id"))} from users as member where member.id = ${userId}),
    'active') = 'active')`;
}
