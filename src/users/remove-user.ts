import { create } from "@bufbuild/protobuf";
import { type Expression, type Kysely, sql } from "kysely";
import {
  type RemoveUserRequest,
  type RemoveUserResponse,
  RemoveUserResponseSchema,
} from "../../gen/signet/v1/user_change_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { removedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { retryWhenChanged } from "../events/retry-when-changed.ts";
import type { EraseFiles, FiledMessage } from "../messages/senders/message-file.ts";
import { type AnnounceEnds, type EndedSession, endedSessionsIn, endSessions } from "./end-sessions.ts";
import { throwIfOwnUser } from "./own-user.ts";
import { isProtected, type MayChange, mayChange, userProtected } from "./protected-user.ts";
import { userNotFound } from "./user-not-found.ts";

/** What `removeUser` needs. */
export interface RemoveUserParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** Removes the files of messages that were written to files. */
  readonly eraseFiles: EraseFiles;
  readonly announceEnds?: AnnounceEnds | undefined;
}

/**
 * Removes a user of any kind, and erases all personal data (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, OWN_USER, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function removeUser(
  parts: RemoveUserParts,
  { id }: RemoveUserRequest,
  call: Call,
): Promise<RemoveUserResponse> {
  throwIfOwnUser(id, call);
  const { orgId, userId: editorId } = call;
  const row = await eraseUser(parts, { userId: id, orgId, editorId, ...mayChange(call) }, call);
  return create(RemoveUserResponseSchema, { details: toObjectDetails(row, orgId) });
}

/**
 * Removes a user with all codes, messages, links, passkeys, tokens and roles. The events keep type, sequence, time and
 * editor.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function eraseUser(
  { db, clock, eraseFiles, announceEnds }: RemoveUserParts,
  target: { readonly userId: string; readonly orgId: string; readonly editorId: string | null } & MayChange,
  call?: Call,
): Promise<ObjectRow> {
  const { userId, orgId: ownerId, ...values } = target;
  if (!isId(userId)) throw userNotFound("id: no user", userId);
  const events = eventsToJson([{ type: "user.removed", payload: {} }]);
  const row = await retryWhenChanged(async () => {
    const [found] = await deleteUser(db, { ...values, ownerId, aggregateId: userId, now: clock(), events }, call);
    if (found === undefined) throw userNotFound("id: no user", userId);
    if (found.is_protected) throw userProtected();
    return found.sequence === null ? undefined : { ...found, sequence: found.sequence };
  });
  announceEnds?.(row.ended_sessions ?? []);
  await eraseFiles(row.messages);
  return row;
}

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
const deleteUser = prepareWrite<EventValues & MayChange, DeleteUserRow>((db, param) =>
  db
    .with("given", (query) =>
      query.selectNoFrom([
        sql<string>`${param("ownerId", "uuid")}`.as("ownerId"),
        sql<string>`${param("aggregateId", "uuid")}`.as("aggregateId"),
        sql<boolean>`${param("mayChangeMembers", "boolean")}`.as("mayChangeMembers"),
        sql<boolean>`${param("mayChangeAllMembers", "boolean")}`.as("mayChangeAllMembers"),
      ]),
    )
    .with("seen", (query) =>
      query
        .selectFrom("users")
        .innerJoin("given", (join) =>
          join.onRef("users.org_id", "=", "given.ownerId").onRef("users.id", "=", "given.aggregateId"),
        )
        .select(["users.sequence", isProtected.as("is_protected")]),
    )
    .with("held", (query) =>
      query
        .selectFrom("users")
        .select(["org_id", "id", "sequence", "created_at", "changed_at"])
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .forUpdate(),
    )
    .with("messaged", (query) =>
      query.selectFrom(messagesOf(param("ownerId", "uuid"), param("aggregateId", "uuid"))).select(
        sql<FiledMessage[]>`coalesce(jsonb_agg(jsonb_build_object(
            'id', messages.id, 'channel', messages.channel, 'queuedAt', messages.created_at)), '[]')`.as("messages"),
      ),
    )
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
    .selectFrom("held")
    .innerJoin("seen", (join) => join.onTrue())
    .innerJoin("messaged", (join) => join.onTrue())
    .leftJoin("removed", (join) => join.onTrue())
    .select(["removed.sequence", "seen.is_protected", "messaged.messages"])
    .select(endedSessionsIn("ended", param("aggregateId", "uuid")).as("ended_sessions"))
    .select(({ fn }) => [
      fn.coalesce("removed.created_at", "held.created_at").as("created_at"),
      fn.coalesce("removed.changed_at", "held.changed_at").as("changed_at"),
    ])
    .$castTo<DeleteUserRow>(),
);

/** The messages of a user: messages with a code, and notices without one, each found by its index. */
function messagesOf(orgId: Expression<string>, userId: Expression<string>) {
  return sql<{ id: string; channel: string; created_at: Date }>`(
    select messages.id, messages.channel, messages.created_at from codes
      join messages on messages.org_id = codes.org_id and messages.code_id = codes.id
      where codes.org_id = ${orgId} and codes.user_id = ${userId}
    union all
    select messages.id, messages.channel, messages.created_at from messages
      where messages.org_id = ${orgId} and messages.user_id = ${userId} and messages.code_id is null)`.as("messages");
}
