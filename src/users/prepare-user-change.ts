import { type Expression, type RawBuilder, sql } from "kysely";
import { endCodes, endOwnPasskeyLinks } from "../codes/end-codes.ts";
import { type CodeRow, insertCodes } from "../codes/issue-code.ts";
import type { CodeKind } from "../codes/kinds.ts";
import { maySend, sentTimesOfUser } from "../codes/replace-limits.ts";
import {
  type Columns,
  columnsOf,
  createCommandList,
  isExpectedOnce,
  type ListValues,
  NOTHING,
  type Numbered,
  orgOf,
} from "../database/command-list.ts";
import type { Param } from "../database/prepare.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { CommandKind } from "../database/run-together.ts";
import type { Tables } from "../database/tables.ts";
import type { Reason } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import type { ObjectRow } from "../events/object-details.ts";
import { type MessageRow, type OutboxValues, queueMessages } from "../messages/outbox.ts";
import { type EndedSession, endedSessionsIn, endSessions, SESSIONS_ENDED } from "./end-sessions.ts";
import { isProtected, type MayChange } from "./protected-user.ts";
import type { MissingUser } from "./user-not-found.ts";

/** The rows that a change of a user writes besides the user's row. */
export interface Plan {
  readonly events: readonly NewEvent[];
  readonly codes: readonly CodeRow[];
  readonly messages: readonly MessageRow[];
}

/** The values of every change of a user. */
export interface ChangeValues extends MayChange {
  ownerId: string;
  aggregateId: string;
  editorId: string | null;
  now: Date;
  /** The statement writes one of them, depending on the stored user. */
  plans: readonly Plan[];
  /** The id of the session that continues; null if all sessions end. */
  keptSession: string | null;
}

/** The user after the change, except that `state` and `initialized` have their earlier values. */
export interface ChangedUser extends ObjectRow {
  /** The reason why the change was rejected; null if it was not. */
  readonly refusal: Reason | null;
  /** The number of the written plan; null if there was nothing to change, or the change was rejected. */
  readonly choice: number | null;
  /** False if the user was changed concurrently and nothing was written: run the command again. */
  readonly is_fresh: boolean;
  readonly state: "active" | "inactive" | "locked";
  readonly initialized: boolean;
  /** When the user's codes of the limited kind were issued; see `nextSendAt`. */
  readonly sent_at: Date[];
  /** The sessions ended by the change; absent if it ends none. */
  readonly ended_sessions?: readonly EndedSession[];
}

/** How a command changes one user's row. Expressions read the stored user from `users`. */
export interface UserChange<Values extends object> {
  readonly name: string;
  /** Restricts the command to users of this kind. For others, it fails as if they did not exist. */
  readonly kind?: "human";
  /** The types of the command's own values. */
  readonly columns: Columns<Values>;
  /** The reason why this user cannot be changed, or null. */
  readonly refuse?: RawBuilder<Reason | null>;
  /** The number of the plan to write; null if there is nothing to change. The first one by default. */
  readonly choose?: (given: Param<Values>) => RawBuilder<number | null>;
  /** The columns to write, besides those of every change. */
  readonly set: (given: Param<Values>) => { readonly [Column in keyof Tables["users"]]?: Expression<unknown> };
  /** For plans with one code and message: their recipient, if it depends on the stored user. */
  readonly recipient?: (given: Param<Values>) => RawBuilder<string | null>;
  /**
   * Ends the user's sessions and application tokens, except `keptSession` with its tokens, and links: see
   * `endOwnPasskeyLinks`.
   */
  readonly endsSessions?: true;
  /** Ends the user's codes of this kind. */
  readonly endsCodes?: CodeKind;
  /** Deletes rows of the users in the part `planned` from another table. */
  readonly removes?: (planned: Param<OutboxValues & Values>) => RawBuilder<object>;
  /** The kind of the plan's code. Beyond the limits of `maySend`, the change is rejected with TOO_MANY_MESSAGES. */
  readonly limitedKind?: CodeKind;
}

/** A command that changes one user. */
export interface UserChangeKind<Values extends object> extends CommandKind<ChangeValues & Values, ChangedUser> {
  readonly missing: MissingUser;
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
} as const satisfies Columns<ChangeValues>;

/**
 * Prepares a command that changes one user's row, and writes the events, codes and messages of a plan. It returns no
 * row if there is no such user.
 *
 * The statement locks the user first, and decides based on the latest version of the row. All other changes of the user
 * do the same, so concurrent changes run one after another.
 */
export function prepareUserChange<Values extends object>(change: UserChange<Values>): UserChangeKind<Values> {
  const { kind, refuse = sql<null>`null::text`, endsSessions, endsCodes, limitedKind } = change;
  const columns = { ...CHANGE_COLUMNS, ...change.columns } as unknown as Columns<ChangeValues & Values>;
  const commands = createCommandList(columns);
  const given = columnsOf<ChangeValues & Values>("given");
  const planned = columnsOf<OutboxValues & Values>("planned");
  const written = columnsOf<OutboxValues>("changed");
  const recipient = change.recipient?.(given as Param<Values>);
  const choose = change.choose?.(given as Param<Values>) ?? sql<number>`0`;
  const now = sql<Date>`given.now`;
  const refusal = sql<Reason | null>`case
    when ${isProtected} then 'PERMISSION_DENIED'
    when ${refuse} is not null then ${refuse}
    ${limitedKind ? sql`when not ${maySend(sql.lit(limitedKind), now)} then 'TOO_MANY_MESSAGES'` : sql``} end`;
  const sentAt = limitedKind ? sentTimesOfUser(sql.lit(limitedKind), now) : sql<Date[]>`'{}'::timestamptz[]`;
  const part = (name: keyof Plan) => sql`held.plans -> held.choice -> ${sql.lit(name)}`;
  // The statement reads other tables as of its snapshot.
  const readsOthers = [limitedKind, endsSessions, endsCodes, change.removes].some((option) => option !== undefined);
  const removes = change.removes?.(planned) ?? NOTHING;
  const addressed = (rows: RawBuilder<unknown>) =>
    recipient ? sql`jsonb_set(${rows}, '{0,recipient}', to_jsonb(held.recipient))` : rows;

  const statement = prepareWrite<ListValues, ChangedUser & Numbered>(
    (db, param, isShort) =>
      db
        .with("given", (): RawBuilder<ChangeValues & Numbered> => commands.rows(param("commands", "jsonb")))
        // Locks the rows to read their latest versions instead of the statement's snapshot. Locking in id order
        // prevents deadlocks between statements.
        .with("held", (query) =>
          query
            .selectFrom((eb) =>
              eb.selectFrom("given").selectAll().where(isExpectedOnce).orderBy("aggregateId").as("given"),
            )
            .innerJoinLateral(
              (eb) =>
                eb
                  .selectFrom("users")
                  .select([
                    "users.sequence",
                    "users.created_at",
                    "users.changed_at",
                    "users.state",
                    "users.initialized",
                  ])
                  .select([refusal.as("refusal"), choose.as("chosen"), sentAt.as("sent_at")])
                  .select((recipient ?? sql<null>`null::text`).as("recipient"))
                  .whereRef("users.org_id", "=", "given.ownerId")
                  .whereRef("users.id", "=", "given.aggregateId")
                  .$if(kind === "human", (users) => users.where("users.kind", "=", sql.lit("human")))
                  .forNoKeyUpdate()
                  .as("found"),
              (join) => join.onTrue(),
            )
            .selectAll("given")
            .select(["found.sequence", "found.created_at", "found.changed_at", "found.state", "found.initialized"])
            .select(["found.recipient", "found.refusal", "found.sent_at"])
            .select([
              sql<number | null>`case when found.refusal is null then found.chosen end`.as("choice"),
              (readsOthers ? isSnapshotCurrent : sql<boolean>`true`).as("is_fresh"),
            ]),
        )
        .with("planned", (query) =>
          query
            .selectFrom("held")
            .selectAll()
            .select([
              part("events").as("events"),
              addressed(part("codes")).as("codes"),
              addressed(part("messages")).as("messages"),
            ])
            .where("choice", "is not", null)
            .where("is_fresh", "=", true),
        )
        .with("changed", (query) =>
          query
            .updateTable("users")
            .from("planned")
            .set({
              ...change.set(planned as Param<Values>),
              ...changedColumns(planned, "users"),
              ...(endsSessions && SESSIONS_ENDED),
            } as object)
            .whereRef("users.org_id", "=", "planned.ownerId")
            .where("users.org_id", "=", orgOf("planned"))
            .whereRef("users.id", "=", "planned.aggregateId")
            .returning(["planned.number", "users.sequence", "users.created_at", "users.changed_at"]),
        )
        .with("written", (query) =>
          query
            .selectFrom("planned")
            .innerJoin("changed", "changed.number", "planned.number")
            .select(["planned.ownerId", "planned.aggregateId", "planned.editorId", "planned.now"])
            .select(["planned.events", "planned.codes", "planned.messages", "planned.keptSession"])
            .select(["changed.sequence", "changed.created_at", "changed.changed_at"]),
        )
        .with("removed", () => removes)
        .with("ended", () =>
          endsSessions ? endSessions(written, "written", sql<string | null>`changed."keptSession"`) : NOTHING,
        )
        .with("ended_codes", () => (endsCodes ? endCodes(written, endsCodes, "written") : NOTHING))
        .with("ended_links", () => (endsSessions ? endOwnPasskeyLinks(written, "written") : NOTHING))
        .with("appended", () => appendEvents(written, "written"))
        .with("coded", () => (isShort ? NOTHING : insertCodes(written, "written")))
        .with("queued", () => (isShort ? NOTHING : queueMessages(written, "written")))
        .selectFrom("held")
        .leftJoin("changed", "changed.number", "held.number")
        .select(["held.number", "held.state", "held.initialized", "held.refusal", "held.choice"])
        .select(["held.is_fresh", "held.sent_at"])
        .$if(endsSessions === true, (rows) =>
          rows.select(endedSessionsIn("ended", sql`held."aggregateId"`).as("ended_sessions")),
        )
        .select(({ fn }) => [
          fn.coalesce("changed.sequence", "held.sequence").as("sequence"),
          fn.coalesce("changed.created_at", "held.created_at").as("created_at"),
          fn.coalesce("changed.changed_at", "held.changed_at").as("changed_at"),
        ])
        .$castTo<ChangedUser & Numbered>(),
    {
      isDone: sql`carried_out.refusal is null and carried_out.is_fresh`,
      hasShortForm: true,
      confirmsCallers: true,
    },
  );
  return {
    name: change.name,
    list: commands,
    statement,
    toGroup: ({ ownerId }) => ownerId,
    toKeys: ({ aggregateId }) => [aggregateId],
    fitsShortForm: ({ plans }) => plans.every(({ codes, messages }) => codes.length + messages.length === 0),
    missing: kind === "human" ? "userId: no human user" : "id: no user",
  };
}

/** Whether the statement's snapshot, which subqueries read, contains the latest change of the user. */
const isSnapshotCurrent = sql<boolean>`(found.sequence = (
  select seen.sequence from users as seen where seen.org_id = given."ownerId" and seen.id = given."aggregateId"))`;
