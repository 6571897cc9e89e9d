import { type RawBuilder, sql } from "kysely";
import { type Actor, isAllowed } from "../../actor.ts";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import type { Param } from "../../database/prepare.ts";
import { prepareWrite } from "../../database/prepare-write.ts";
import { removedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../../events/append-events.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { type Changed, type ObjectRow, toChanged } from "../../events/object-details.ts";
import { retryWhenChanged } from "../../events/retry-when-changed.ts";
import type { EraseFiles, FiledMessage } from "../../messages/senders/message-file.ts";
import { userNotFound } from "../user-not-found.ts";
import { type AnnounceEnds, type EndedSession, endedSessionsIn, endSessions } from "./end-sessions.ts";
import { isProtected, type MayChange, mayChange, throwIfOwnUser, userProtected } from "./protected-user.ts";

export interface RemoveUserParts extends ChangeParts {
  /** Removes the files of messages that were written to files. */
  readonly eraseFiles: EraseFiles;
  readonly announceEnds?: AnnounceEnds | undefined;
}

/**
 * Removes a user of any kind with all codes, messages, links, passkeys, tokens and roles, and so erases all personal
 * data (docs/reference/change-users.md). The events keep type, sequence, time and editor.
 *
 * A self removes itself, unless it has a role: the last owner would otherwise be gone at one click.
 *
 * @throws SignetError USER_NOT_FOUND, OWN_USER, LAST_OWNER, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function removeUser(
  { db, clock, eraseFiles, announceEnds }: RemoveUserParts,
  { id }: { readonly id: string },
  call: Call<Actor>,
): Promise<Changed> {
  const isSelf = call.kind === "self";
  if (!isSelf) throwIfOwnUser(id, call);
  if (!isId(id) || !isAllowed(call, "user.delete", id.toLowerCase())) throw userNotFound("id: no user", id);
  const values = {
    ...(isSelf ? NO_MEMBERS : mayChange(call, id.toLowerCase())),
    ownerId: call.orgId,
    aggregateId: id,
    editorId: call.userId,
    events: eventsToJson([{ type: "user.removed", payload: {} }]),
  };
  const row = await retryWhenChanged(async () => {
    const [found] = await deleteUser(db, { ...values, now: clock() }, call);
    if (found === undefined) throw userNotFound("id: no user", id);
    if (found.is_protected) throw userProtected();
    return found.sequence === null ? undefined : { ...found, sequence: found.sequence };
  });
  announceEnds?.(row.ended_sessions ?? []);
  await eraseFiles(row.messages);
  return toChanged(row, call.orgId);
}

const NO_MEMBERS: MayChange = { mayChangeMembers: false, mayChangeAllMembers: false };

interface DeleteUserRow extends Omit<ObjectRow, "sequence"> {
  is_protected: boolean;
  /** Null if nothing was removed. */
  sequence: bigint | null;
  messages: FiledMessage[];
  ended_sessions?: EndedSession[];
}

/**
 * Deletes the user, which deletes all rows that refer to it, erases the payloads of the events, and appends the last
 * event. Removes nothing if the user has changed since the statement's snapshot, which may lack an event.
 */
const deleteUser = prepareWrite<EventValues & MayChange, DeleteUserRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("given", () => givenUser(param))
      .with("seen", () => SEEN)
      .with("held", () => HELD)
      .with("messaged", () => findMessages(param))
      .with("removed", (query) =>
        query
          .deleteFrom("users")
          .using(["held", "seen"])
          .whereRef("users.org_id", "=", "held.org_id")
          .whereRef("users.id", "=", "held.id")
          .whereRef("held.sequence", "=", "seen.sequence")
          .where("seen.is_protected", "=", false)
          .returning(removedColumns(param, "users")),
      )
      .with("ended", () => endSessions(param, "removed"))
      // Other messages are deleted with their codes.
      .with("noticed", (query) =>
        query
          .deleteFrom("messages")
          .using("removed")
          .where("messages.org_id", "=", param("ownerId", "uuid"))
          .where("messages.user_id", "=", param("aggregateId", "uuid"))
          .where("messages.code_id", "is", null),
      )
      .with("uncounted", (query) =>
        query
          .deleteFrom("failed_sign_ins")
          .using("removed")
          .where("failed_sign_ins.org_id", "=", param("ownerId", "uuid"))
          .where("failed_sign_ins.user_id", "=", param("aggregateId", "uuid")),
      )
      .with("erased", (query) =>
        query
          .updateTable("events")
          .from("removed")
          .set({ payload: null })
          .where("events.owner_id", "=", param("ownerId", "uuid"))
          .where("events.aggregate_id", "=", param("aggregateId", "uuid"))
          .where("events.payload", "is not", null),
      )
      .with("appended", () => appendEvents(param, "removed"))
      .with("result", () => resultOf(param)),
  ),
);

function givenUser(param: Param<EventValues & MayChange>): RawBuilder<object> {
  return sql`(
    select ${param("ownerId", "uuid")} as "ownerId", ${param("aggregateId", "uuid")} as "aggregateId",
      ${param("mayChangeMembers", "boolean")} as "mayChangeMembers",
      ${param("mayChangeAllMembers", "boolean")} as "mayChangeAllMembers")`;
}

/** The part with the user in the statement's snapshot, which the other parts read. */
const SEEN = sql<{ sequence: bigint; is_protected: boolean }>`(
  select users.sequence, ${isProtected} as is_protected
  from users join given on users.org_id = given."ownerId" and users.id = given."aggregateId")`;

/** The part that locks the user, and reads the latest version of the row. */
const HELD = sql<{ org_id: string; id: string; sequence: bigint }>`(
  select users.org_id, users.id, users.sequence, users.created_at, users.changed_at
  from users join given on users.org_id = given."ownerId" and users.id = given."aggregateId"
  for update of users)`;

/** The part with the messages of the user: those with a code, and notices without one, each found by its index. */
function findMessages(param: Param<EventValues>): RawBuilder<object> {
  const [orgId, userId] = [param("ownerId", "uuid"), param("aggregateId", "uuid")];
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', messages.id, 'channel', messages.channel, 'queuedAt', messages.created_at)), '[]') as messages
    from (
      select messages.id, messages.channel, messages.created_at from codes
        join messages on messages.org_id = codes.org_id and messages.code_id = codes.id
        where codes.org_id = ${orgId} and codes.user_id = ${userId}
      union all
      select messages.id, messages.channel, messages.created_at from messages
        where messages.org_id = ${orgId} and messages.user_id = ${userId} and messages.code_id is null) as messages)`;
}

function resultOf(param: Param<EventValues>): RawBuilder<object> {
  const ended = endedSessionsIn("ended", param("aggregateId", "uuid"));
  return sql`(
    select removed.sequence, seen.is_protected, messaged.messages, ${ended} as ended_sessions,
      coalesce(removed.created_at, held.created_at) as created_at,
      coalesce(removed.changed_at, held.changed_at) as changed_at
    from held cross join seen cross join messaged left join removed on true)`;
}
