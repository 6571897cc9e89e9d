import { type RawBuilder, sql } from "kysely";
import type { SortKey } from "../../database/list-page.ts";
import { foldCase, type SearchedText, searchedText } from "../../database/text-match.ts";
import { userNameKey } from "../../fields/user-name.ts";

/*
 * The expressions by which users are found and sorted. The indexes of the migration 0082-tables contain them, so they
 * must not change. One trigram index covers all texts, because one for each would multiply the cost of an import. There
 * is none for sorting by first name, nickname, state, type or last sign-in: two indexes, for state and type, cost an import 7 % more
 * of PostgreSQL's CPU time.
 */

/** The profile columns are null for machine users, and some of them can be null for humans. */
function orEmpty(column: string): RawBuilder<string> {
  return sql<string>`coalesce(${sql.ref(`users.${column}`)}, '')`;
}

/** All searchable text, each value on a separate line. The key of the user name is already folded. */
const ALL_TEXTS = foldCase(
  sql`(
    users.user_name_key || E'\n' || coalesce(users.first_name, '') || E'\n' || coalesce(users.last_name, '') || E'\n'
      || coalesce(users.nick_name, '') || E'\n' || coalesce(users.display_name, '') || E'\n' || coalesce(users.email, ''))`,
);

export const USER_TEXTS = {
  userName: {
    value: sql<string>`users.user_name`,
    folded: sql<string>`users.user_name_key`,
    fold: (text) => sql<string>`${userNameKey(text)}::text`,
    trigrams: ALL_TEXTS,
    isSorted: true,
  },
  firstName: searchedText(orEmpty("first_name"), { trigrams: ALL_TEXTS, isSorted: false }),
  lastName: searchedText(orEmpty("last_name"), { trigrams: ALL_TEXTS, isSorted: true }),
  nickName: searchedText(orEmpty("nick_name"), { trigrams: ALL_TEXTS, isSorted: false }),
  displayName: searchedText(orEmpty("display_name"), { trigrams: ALL_TEXTS, isSorted: true }),
  email: searchedText(orEmpty("email"), { trigrams: ALL_TEXTS, isSorted: true }),
} satisfies Record<string, SearchedText>;

/** The number of the user's `UserState`. */
export const USER_STATE = sql<number>`(case
  when users.state = 'inactive' then 2 when users.state = 'locked' then 4 when not users.initialized then 6 else 1 end)`;

/** The number of the user's `TypeQuery.Type`. */
export const USER_TYPE = sql<number>`(case users.kind when 'human' then 1 else 2 end)`;

const SORT_KEYS = {
  creation: { value: sql`users.created_at`, type: "timestamptz" },
  userName: { value: USER_TEXTS.userName.folded, type: "text" },
  firstName: { value: USER_TEXTS.firstName.folded, type: "text" },
  lastName: { value: USER_TEXTS.lastName.folded, type: "text" },
  nickName: { value: USER_TEXTS.nickName.folded, type: "text" },
  displayName: { value: USER_TEXTS.displayName.folded, type: "text" },
  email: { value: USER_TEXTS.email.folded, type: "text" },
  state: { value: USER_STATE, type: "integer" },
  type: { value: USER_TYPE, type: "integer" },
  /** Users who have not signed in come first. */
  lastSignIn: { value: sql`coalesce(users.last_signed_in_at, 'epoch'::timestamptz)`, type: "timestamptz" },
} as const satisfies Record<string, SortKey>;

/** What a list of users can be sorted by. */
export type UserSortKey = keyof typeof SORT_KEYS;

/** The order of a list of users: by the key, then by id. */
export function orderOfUsers(key: UserSortKey): readonly SortKey[] {
  return [SORT_KEYS[key], { value: sql`users.id`, type: "uuid" }];
}
