import { type RawBuilder, sql } from "kysely";
import { endCodes, endOwnLinks } from "../../codes/end-codes.ts";
import { insertCodes } from "../../codes/issue-code.ts";
import { maySend, sentTimesOfUser } from "../../codes/replace-limits.ts";
import {
  type Columns,
  columnsOf,
  createCommandList,
  isExpectedOnce,
  NOTHING,
  type Numbered,
  orgOf,
} from "../../database/command-list.ts";
import { prepareListWrite } from "../../database/prepare-list.ts";
import type { Reason } from "../../errors.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents } from "../../events/append-events.ts";
import { type NoticeValues, queueNotices, verifiedEmail } from "../../messages/notices.ts";
import { type OutboxValues, queueMessages } from "../../messages/outbox.ts";
import { endedSessionsIn, endSessions, SESSIONS_ENDED } from "./end-sessions.ts";
import { isProtected } from "./protected-user.ts";
import type { ChangedUser, ChangeValues, Plan, UserChange, UserChangeKind } from "./user-change.ts";

/**
 * Prepares a command that changes one user's row, and writes the events, codes and messages of a plan. It returns no
 * row if there is no such user.
 *
 * The statement locks the user first, and decides based on the latest version of the row. All other changes of the user
 * do the same, so concurrent changes run one after another.
 */
export function prepareUserChange<Values extends object>(change: UserChange<Values>): UserChangeKind<Values> {
  const { kind, endsCodes } = change;
  const endsAll = change.endsSessions === true;
  const list = createCommandList({ ...CHANGE_COLUMNS, ...change.columns } as unknown as Columns<ChangeValues & Values>);
  const planned = columnsOf<OutboxValues & Values>("planned");
  const written = columnsOf<OutboxValues & NoticeValues>("changed");
  const statement = prepareListWrite<ChangeValues & Values, ChangedUser & Numbered>(
    list,
    (db, given, returnRows, size) => {
      const isShort = size === "short";
      const parts = db
        .with("given", () => given)
        .with("held", () => holdUsers(change))
        .with("planned", () => planChanges(change))
        .with("changed", (query) =>
          query
            .updateTable("users")
            .from("planned")
            .set({
              ...change.set?.(columnsOf("planned")),
              ...changedColumns(planned, "users"),
              ...(endsAll && SESSIONS_ENDED),
            } as object)
            .whereRef("users.org_id", "=", "planned.ownerId")
            .where("users.org_id", "=", orgOf("planned"))
            .whereRef("users.id", "=", "planned.aggregateId")
            .returning(["planned.number", "users.sequence", "users.created_at", "users.changed_at"]),
        )
        .with("written", () => WRITTEN)
        .with("others", () => (change.writes ?? change.upserts)?.(planned) ?? NOTHING)
        .with("ended", () => endedSessionsOf(change))
        .with("ended_codes", () => (endsCodes ? endCodes(written, endsCodes, "written") : NOTHING))
        .with("ended_links", () => (endsAll ? endOwnLinks(written, "written") : NOTHING))
        .with("appended", () => appendEvents(written, "written"))
        .with("coded", () => (isShort ? NOTHING : insertCodes(written, "written")))
        .with("queued", () => (isShort ? NOTHING : queueMessages(written, "written")))
        .with("notified", () => (isShort || !change.notice ? NOTHING : queueNotices(written, "written")))
        .with("result", () => resultOf(change));
      return returnRows(parts);
    },
    { isDone: sql`result.refusal is null and result.is_fresh`, sizes: ["short", "whole"] },
  );
  return {
    name: change.name,
    list,
    statement,
    toGroup: ({ ownerId }) => ownerId,
    toKeys: ({ aggregateId }) => [aggregateId],
    toSize: ({ plans, notices }) => {
      const isShort =
        notices.length === 0 && plans.every(({ codes, messages }) => codes.length + messages.length === 0);
      return isShort ? "short" : "whole";
    },
    missing: kind === undefined ? "id: no user" : `userId: no ${kind} user`,
    notice: change.notice,
    limitedKind: change.limitedKind,
  };
}

const CHANGE_COLUMNS = {
  ownerId: "uuid",
  aggregateId: "uuid",
  editorId: "uuid",
  now: "timestamptz",
  plans: "jsonb",
  mayChangeMembers: "boolean",
  mayChangeAllMembers: "boolean",
  keptSession: "text",
  notices: "jsonb",
} as const satisfies Columns<ChangeValues>;

/**
 * The part that locks the users, and decides: a refusal, or the number of the plan. It reads the latest versions of the
 * rows instead of the statement's snapshot. Locking in id order prevents deadlocks between statements.
 */
function holdUsers<Values extends object>(change: UserChange<Values>): RawBuilder<object> {
  const { kind, limitedKind } = change;
  const given = columnsOf<Values>("given");
  const chosen = change.choose?.(given) ?? sql`0`;
  const isStored = change.isStored?.(given);
  const choice = isStored ? sql`case when not ${isStored} or ${hasSecondEvent(chosen)} then ${chosen} end` : chosen;
  const recipient = change.recipient?.(given) ?? sql`null::text`;
  const notified = change.notice ? (change.notified?.(given) ?? verifiedEmail) : sql`null::text`;
  const sentAt = limitedKind ? sentTimesOfUser(sql.lit(limitedKind), NOW, isBySelf(change)) : sql`'{}'::timestamptz[]`;
  return sql`(
    select given.*, found.sequence, found.created_at, found.changed_at, found.state, found.initialized,
      found.recipient, found.verified_email, found.refusal, found.sent_at, found.is_stored,
      case when found.refusal is null then found.choice end as choice,
      ${readsOtherTables(change) ? IS_SNAPSHOT_CURRENT : sql`true`} as is_fresh
    from (select * from given where ${isExpectedOnce} order by "aggregateId") as given
      cross join lateral (
        select users.sequence, users.created_at, users.changed_at, users.state, users.initialized,
          ${recipient} as recipient, ${notified} as verified_email, ${refusalOf(change)} as refusal,
          ${sentAt} as sent_at, ${choice} as choice, ${isStored ?? sql`false`} as is_stored
        from users
        where users.org_id = given."ownerId" and users.id = given."aggregateId"
          and ${kind === undefined ? sql`true` : sql`users.kind = ${sql.lit(kind)}`}
        for no key update) as found)`;
}

function hasSecondEvent(choice: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`given.plans -> (${choice}) -> 'events' -> 1 is not null`;
}

const NOW = sql<Date>`given.now`;

function isBySelf({ separatesCallers }: UserChange<never>): RawBuilder<boolean> | undefined {
  return separatesCallers && sql<boolean>`coalesce(given."editorId" = users.id, false)`;
}

function refusalOf<Values extends object>(change: UserChange<Values>): RawBuilder<Reason | null> {
  const { limitedKind } = change;
  const given = columnsOf<Values>("given");
  const refuse = (typeof change.refuse === "function" ? change.refuse(given) : change.refuse) ?? sql`null::text`;
  const isSentTooOften =
    limitedKind === undefined ? sql`false` : sql`not ${maySend(sql.lit(limitedKind), NOW, isBySelf(change))}`;
  return sql`case
    when ${isProtected} then 'PERMISSION_DENIED'
    when ${refuse} is not null then ${refuse}
    when ${isSentTooOften} then 'TOO_MANY_MESSAGES' end`;
}

/** Other tables are read as of the statement's snapshot. */
function readsOtherTables({ limitedKind, endsSessions, endsCodes, writes }: UserChange<never>): boolean {
  return [limitedKind, endsSessions, endsCodes, writes].some((option) => option !== undefined);
}

/** Whether the statement's snapshot, which subqueries read, contains the latest change of the user. */
const IS_SNAPSHOT_CURRENT = sql<boolean>`(found.sequence = (
  select seen.sequence from users as seen where seen.org_id = given."ownerId" and seen.id = given."aggregateId"))`;

/** The part with the users to change, and the events, codes and messages of their plans. */
function planChanges({ recipient, isStored }: UserChange<never>): RawBuilder<ChangeValues & Numbered> {
  const part = (name: keyof Plan) => sql`held.plans -> held.choice -> ${sql.lit(name)}`;
  const events = isStored
    ? sql`case when held.is_stored then (${part("events")}) - 0 else ${part("events")} end`
    : part("events");
  const addressed = (rows: RawBuilder<unknown>) =>
    recipient ? sql`jsonb_set(${rows}, '{0,recipient}', to_jsonb(held.recipient))` : rows;
  return sql`(
    select held.*, ${events} as events, ${addressed(part("codes"))} as codes,
      ${addressed(part("messages"))} as messages
    from held where choice is not null and is_fresh)`;
}

/** The part with what was planned for the changed users. */
const WRITTEN = sql<object>`(
  select planned."ownerId", planned."aggregateId", planned."editorId", planned.now, planned.events, planned.codes,
    planned.messages, planned."keptSession", planned.notices, planned.verified_email,
    changed.sequence, changed.created_at, changed.changed_at
  from planned join changed on changed.number = planned.number)`;

/** The part that ends sessions, and returns what it deletes. */
function endedSessionsOf<Values extends object>({ endsSessions }: UserChange<Values>): RawBuilder<object> {
  if (typeof endsSessions === "function") return endsSessions(columnsOf<OutboxValues & Values>("planned"));
  if (endsSessions !== true) return NOTHING;
  return endSessions(columnsOf<OutboxValues>("changed"), "written", sql`changed."keptSession"`);
}

/** The part with a row for each user that was found. */
function resultOf({ endsSessions }: UserChange<never>): RawBuilder<object> {
  const ended = endedSessionsIn("ended", sql`held."aggregateId"`);
  return sql`(
    select held.number, held.state, held.initialized, held.refusal, held.choice, held.is_fresh, held.sent_at,
      ${endsSessions ? sql`${ended} as ended_sessions,` : sql``}
      coalesce(changed.sequence, held.sequence) as sequence,
      coalesce(changed.created_at, held.created_at) as created_at,
      coalesce(changed.changed_at, held.changed_at) as changed_at
    from held left join changed on changed.number = held.number)`;
}
