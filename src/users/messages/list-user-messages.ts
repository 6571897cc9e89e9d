import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { isId } from "../../crypto/secrets.ts";
import { namedColumns, type RowOf } from "../../database/columns-of.ts";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { orgList } from "../../fields/read-list.ts";
import { type MessageState, stateAt } from "../../messages/find-messages.ts";

/** A message in responses. */
export type UserMessageRow = RowOf<ReturnType<typeof columnsAt>>;

function columnsAt(now: Expression<Date>) {
  return {
    ...namedColumns("messages", ["id", "channel", "recipient", "created_at"]),
    ...namedColumns("messages", ["attempts", "next_attempt_at", "ended_at", "last_error"]),
    // Null for somebody who registers.
    user_id: sql.ref<string | null>("users.id"),
    display_name: sql<string | null>`coalesce(users.display_name, users.user_name)`,
    kind: sql<string>`coalesce(messages.notice, codes.kind, '')`,
    state: stateAt(now),
  };
}

/** A search for messages. */
interface UserMessageSearch {
  readonly page: CheckedListQuery;
  /** Undefined for all. */
  readonly state: MessageState | undefined;
  /** Undefined for all users of the organization. */
  readonly userId: string | undefined;
}

/** Ids begin with the time at which they were made. */
export const USER_MESSAGE_ORDER: readonly SortKey[] = [{ value: sql`messages.id`, type: "uuid" }];

/**
 * Lists the messages to users of the organization, without their contents (docs/reference/messages.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export const listUserMessages = orgList(({ state, userId }: UserMessageSearch, { orgId }, { clock }) => {
  const now = sql<Date>`${clock()}::timestamptz`;
  const source: ListSource<UserMessageRow> = {
    from: sql`${userId === undefined ? sql`messages` : messagesOf(orgId, userId)}
      left join codes on codes.org_id = messages.org_id and codes.id = messages.code_id
      left join users on users.org_id = messages.org_id and users.id = messages.user_id`,
    columns: columnsAt(now),
    scope: sql`messages.org_id = ${orgId}::uuid`,
    filters: state === undefined ? [] : filtersOf(state, now),
    order: USER_MESSAGE_ORDER,
  };
  return source;
});

/** The stored state comes first, because an index contains it. */
function filtersOf(state: MessageState, now: RawBuilder<Date>): RawBuilder<SqlBool>[] {
  const stored = state === "sending" ? "waiting" : state;
  const isStored = sql<SqlBool>`messages.state = ${sql.lit(stored)}`;
  if (stored !== "waiting") return [isStored];
  return [isStored, sql<SqlBool>`${stateAt(now)} = ${sql.lit(state)}`];
}

/** The messages of one user: those with a code are found by the code, and no index contains the user of all messages. */
function messagesOf(orgId: string, userId: string): RawBuilder<unknown> {
  // A text that is no id is the id of nobody.
  const user = isId(userId) ? sql`${userId}::uuid` : sql`null::uuid`;
  return sql`(
    select sent.* from messages as sent
    where sent.org_id = ${orgId}::uuid and sent.user_id = ${user} and sent.code_id is null
    union all
    select sent.* from codes as issued
      join messages as sent on sent.org_id = issued.org_id and sent.code_id = issued.id
    where issued.org_id = ${orgId}::uuid and issued.user_id = ${user}) as messages`;
}
