import { sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { removedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { ChangeIdpParts } from "./change-idp.ts";
import { type IdpOwner, idpNotFound } from "./idp-owner.ts";
import { linkedUserProtected, linksOf, type MayChangeLinked, mayChangeLinked } from "./linked-users.ts";

/**
 * Removes a provider, and all links to it (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export async function removeIdp(
  { db, clock }: ChangeIdpParts,
  { idpId, field = "idpId" }: { readonly idpId: string; readonly field?: "id" | "idpId" },
  owner: IdpOwner,
  call: Call,
): Promise<Changed> {
  if (!isId(idpId)) throw idpNotFound(owner, field, idpId);
  const values = {
    ...mayChangeLinked(call),
    ownerId: owner.id,
    aggregateId: idpId.toLowerCase(),
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: `${owner.kind}.idp.removed`, payload: {} }]),
  };
  const [row] = await deleteIdp(db, values, call);
  if (row === undefined) throw idpNotFound(owner, field, idpId);
  if (row.is_protected) throw linkedUserProtected();
  return toChanged(row, owner.id);
}

/** Deletes the provider, which deletes its links, including links added concurrently. */
const deleteIdp = prepareWrite<EventValues & MayChangeLinked, ObjectRow & { is_protected: boolean }>(
  (db, param, returnRows) =>
    returnRows(
      db
        .with("held", (query) =>
          query
            .selectFrom("idps")
            .select(["owner_id", "id", "sequence", "created_at", "changed_at"])
            .where("owner_id", "=", param("ownerId", "uuid"))
            .where("id", "=", param("aggregateId", "uuid"))
            .forUpdate(),
        )
        .with("decided", (query) =>
          query
            .selectFrom("held")
            .innerJoinLateral(linksOf(param).as("links"), (join) => join.onTrue())
            .selectAll("held")
            .select("links.is_protected"),
        )
        .with("removed", (query) =>
          query
            .deleteFrom("idps")
            .using("decided")
            .whereRef("idps.owner_id", "=", "decided.owner_id")
            .whereRef("idps.id", "=", "decided.id")
            .where("decided.is_protected", "=", false)
            .returning(removedColumns(param, "idps")),
        )
        .with("appended", () => appendEvents(param, "removed"))
        .with("result", (query) =>
          query
            .selectFrom("decided")
            .leftJoin("removed", (join) => join.onTrue())
            .select("decided.is_protected")
            .select(({ fn }) => [
              fn.coalesce("removed.sequence", "decided.sequence").as("sequence"),
              fn.coalesce("removed.created_at", "decided.created_at").as("created_at"),
              fn.coalesce("removed.changed_at", "decided.changed_at").as("changed_at"),
            ]),
        ),
    ),
  { isDone: sql<boolean>`not result.is_protected` },
);
