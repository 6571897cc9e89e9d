import { sql } from "kysely";
import { isAllowed, type Self } from "../../actor.ts";
import type { Call } from "../../call.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { SignetError } from "../../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../../events/append-events.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { type Changed, type ObjectRow, toChanged } from "../../events/object-details.ts";
import { userNotFound } from "../user-not-found.ts";
import { changeUserRow } from "./change-user-row.ts";
import type { AnnounceEnds, EndedSession } from "./end-sessions.ts";

interface WithdrawParts extends ChangeParts {
  readonly announceEnds?: AnnounceEnds | undefined;
}

/**
 * Ends what an application may do for a user: its grants and tokens become invalid, and it is notified as at the end of
 * a session. The sessions continue, so the application can sign the user in again.
 *
 * @throws SignetError USER_NOT_FOUND, APP_NOT_FOUND if the application has no access, or for a failure of the database.
 */
export async function withdrawAppAccess(
  { db, clock, announceEnds }: WithdrawParts,
  { userId, appId }: { readonly userId: string; readonly appId: string },
  call: Call<Self>,
): Promise<Changed> {
  const id = userId.toLowerCase();
  if (!isAllowed(call, "user.write", id)) throw userNotFound("userId: no human user", userId);
  const values = {
    ownerId: call.orgId,
    aggregateId: id,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: "user.human.app.access.withdrawn", payload: { appId } }]),
    appId,
  };
  const [row] = await deleteAccess(db, values, call);
  if (row === undefined) throw new SignetError("APP_NOT_FOUND", "appId: the application has no access");
  announceEnds?.(row.ended_sessions);
  return toChanged(row, call.orgId);
}

type WithdrawnRow = ObjectRow & { ended_sessions: EndedSession[] };

/**
 * A token that is stored at the same time remains without its grant, and is therefore invalid. The session of a request
 * in progress may get the authorization back, but not the grant that it refers to.
 */
const deleteAccess = prepareStatement<EventValues & { appId: string }, WithdrawnRow>((db, param) => {
  const userId = param("aggregateId", "uuid");
  const appId = param("appId", "text");
  const isOfApp = sql<boolean>`(artifact.client_id = ${appId} and artifact.kind not in ('Session', 'Interaction'))`;
  const isSession = sql<boolean>`(artifact.kind = 'Session' and artifact.payload -> 'authorizations' ? ${appId})`;
  return db
    .with("changed", (query) =>
      changeUserRow(query, param)
        .where("state", "=", "active")
        .where(
          sql<boolean>`exists (
            select from oidc_artifacts as artifact where artifact.user_id = ${userId} and (${isOfApp} or ${isSession}))`,
        )
        .returning("created_at"),
    )
    .with(
      "held",
      () => sql<{ kind: string; key: Buffer; authorization: unknown }>`(
        select artifact.kind, artifact.key, artifact.payload -> 'authorizations' -> ${appId} as authorization
        from oidc_artifacts as artifact, changed where artifact.user_id = ${userId} and ${isSession}
        for update of artifact)`,
    )
    .with(
      "left",
      () => sql<object>`(
        update oidc_artifacts as artifact set payload = artifact.payload #- array['authorizations', ${appId}]
        from held where artifact.kind = held.kind and artifact.key = held.key)`,
    )
    .with(
      "deleted",
      () => sql<object>`(
        delete from oidc_artifacts as artifact using changed where artifact.user_id = ${userId} and ${isOfApp})`,
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select(["sequence", "created_at", "changed_at"])
    .select(
      sql<EndedSession[]>`coalesce((
        select jsonb_agg(jsonb_build_object(
          'userId', ${userId}, 'authorizations', jsonb_build_object(${appId}, held.authorization))) from held), '[]')`.as(
        "ended_sessions",
      ),
    )
    .$castTo<WithdrawnRow>();
});
