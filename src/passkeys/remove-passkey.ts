import { create } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import {
  type RemoveHumanPasswordlessRequest,
  type RemoveHumanPasswordlessResponse,
  RemoveHumanPasswordlessResponseSchema,
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
 * Removes a passkey of a human user (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, PASSKEY_NOT_FOUND, or for a failure of the database.
 */
export async function removePasskey(
  { db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock },
  { userId, tokenId }: RemoveHumanPasswordlessRequest,
  call: Call,
): Promise<RemoveHumanPasswordlessResponse> {
  if (!isId(userId)) throw humanNotFound();
  const values = {
    ownerId: call.orgId,
    aggregateId: userId.toLowerCase(),
    editorId: call.userId,
    passkeyId: tokenId,
    now: clock(),
    events: eventsToJson([{ type: "user.human.passwordless.removed", payload: { passkeyId: tokenId } }]),
  };
  const [row] = await deletePasskey(db, values, call);
  if (row === undefined) throw humanNotFound();
  if (row.sequence === null)
    throw new SignetError("PASSKEY_NOT_FOUND", "tokenId: the user has no passkey with this id");
  return create(RemoveHumanPasswordlessResponseSchema, { details: toObjectDetails(row, call.orgId) });
}

/** Returns no row if there is no such human user, and one without a sequence if the user has no such passkey. */
const deletePasskey = prepareWrite<EventValues & { passkeyId: string }, ObjectRow | { readonly sequence: null }>(
  (db, param) =>
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
          .deleteFrom("passkeys")
          .using("held")
          .whereRef("passkeys.org_id", "=", "held.org_id")
          .whereRef("passkeys.user_id", "=", "held.id")
          .where("passkeys.id", "=", param("passkeyId", "text"))
          .returning(["passkeys.org_id", "passkeys.user_id"]),
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
