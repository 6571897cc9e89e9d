import { create } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import {
  type RemoveHumanLinkedIDPRequest,
  type RemoveHumanLinkedIDPResponse,
  RemoveHumanLinkedIDPResponseSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { humanNotFound, SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";

/**
 * Removes the link of a human user to an external identity provider (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, IDP_LINK_NOT_FOUND, or for a failure of the database.
 */
export async function removeIdpLink(
  { db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock },
  { userId, idpId, linkedUserId }: RemoveHumanLinkedIDPRequest,
  call: Call,
): Promise<RemoveHumanLinkedIDPResponse> {
  if (!isId(userId)) throw humanNotFound();
  const values = {
    ownerId: call.orgId,
    aggregateId: userId.toLowerCase(),
    editorId: call.userId,
    idpId: isId(idpId) ? idpId.toLowerCase() : null,
    externalUserId: linkedUserId,
    now: clock(),
    events: eventsToJson([
      { type: "user.human.idp.unlinked", payload: { idpId: idpId.toLowerCase(), externalUserId: linkedUserId } },
    ]),
  };
  const [row] = await deleteLink(db, values, call);
  if (row === undefined) throw humanNotFound();
  if (row.sequence === null) throw linkNotFound();
  return create(RemoveHumanLinkedIDPResponseSchema, { details: toObjectDetails(row, call.orgId) });
}

function linkNotFound(): SignetError {
  return new SignetError("IDP_LINK_NOT_FOUND", "the user has no link with this idpId and linkedUserId");
}

interface DeleteLinkValues extends EventValues {
  /** Null if it has not the form of an id. */
  idpId: string | null;
  externalUserId: string;
}

/** Returns no row if there is no such human user, and one without a sequence if the user has no such link. */
const deleteLink = prepareWrite<DeleteLinkValues, ObjectRow | { readonly sequence: null }>((db, param) =>
  db
    .with("held", (query) =>
      query
        .selectFrom("users")
        .select(["org_id", "id"])
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "human")
        .forNoKeyUpdate(),
    )
    .with("removed", (query) =>
      query
        .deleteFrom("user_idp_links")
        .using("held")
        .whereRef("user_idp_links.org_id", "=", "held.org_id")
        .whereRef("user_idp_links.user_id", "=", "held.id")
        .where(sql<boolean>`user_idp_links.idp_id = ${param("idpId", "uuid")}`)
        .where("user_idp_links.external_user_id", "=", param("externalUserId", "text"))
        .returning(["user_idp_links.org_id", "user_idp_links.user_id"]),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from("removed")
        .set(changedColumns(param, "users"))
        .whereRef("users.org_id", "=", "removed.org_id")
        .whereRef("users.id", "=", "removed.user_id")
        .returning(["users.sequence", "users.created_at", "users.changed_at"]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("held")
    .leftJoin("changed", (join) => join.onTrue())
    .select(["changed.sequence", "changed.created_at", "changed.changed_at"])
    .$castTo<ObjectRow | { readonly sequence: null }>(),
);
