import { type Expression, type RawBuilder, sql } from "kysely";

const ID_FORM = sql.lit("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$");

/**
 * The part of a statement that stores the subjects of imported users: the `sub` that applications see instead of the id.
 *
 * @param written The part with the users.
 */
export function storeSubjects(written: string): RawBuilder<object> {
  const part = sql.table(written);
  return sql`(
    insert into user_subjects (user_id, org_id, subject)
    select "aggregateId", "ownerId", subject from ${part} where subject is not null
    order by subject)`;
}

/**
 * Whether the subject of the row `given` is the id of a user of any organization, whom applications know by it. Only a
 * subject in the form of an id is looked up. A later user gets a random id, so it cannot be one that is a subject already.
 */
export const isIdOfUser = sql<boolean>`(
  case when given.subject ~* ${ID_FORM}
  then (select true from users as owner where owner.id = given.subject::uuid limit 1) end is true)`;

/** The subject of a user; null if applications see the id. */
export function subjectOf(userId: Expression<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(
    select user_subjects.subject from user_subjects where user_subjects.user_id = ${userId})`;
}
