import { create } from "@bufbuild/protobuf";
import {
  type RemoveIDPRequest,
  type RemoveIDPResponse,
  RemoveIDPResponseSchema,
} from "../../gen/signet/v1/idp_instance_pb.js";
import {
  type RemoveOrgIDPRequest,
  type RemoveOrgIDPResponse,
  RemoveOrgIDPResponseSchema,
} from "../../gen/signet/v1/idp_org_pb.js";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { removedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import type { ChangeIdpParts } from "./change-idp.ts";
import { type IdpOwner, idpNotFound, instanceOwner, orgOwner } from "./idp-owner.ts";

/**
 * Removes a provider of the instance, and all links to it (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, or for a failure of the database.
 */
export async function removeIdp(
  parts: ChangeIdpParts,
  { idpId }: RemoveIDPRequest,
  call: Call,
): Promise<RemoveIDPResponse> {
  return create(RemoveIDPResponseSchema, { details: await remove(parts, idpId, instanceOwner(call), call) });
}

/**
 * The same for a provider of the organization.
 *
 * @throws SignetError IDP_NOT_FOUND, also for a provider of the instance, or for a failure of the database.
 */
export async function removeOrgIdp(
  parts: ChangeIdpParts,
  { idpId }: RemoveOrgIDPRequest,
  call: Call,
): Promise<RemoveOrgIDPResponse> {
  return create(RemoveOrgIDPResponseSchema, { details: await remove(parts, idpId, orgOwner(call), call) });
}

async function remove(
  { db, clock }: ChangeIdpParts,
  idpId: string,
  owner: IdpOwner,
  call: Call,
): Promise<ObjectDetails> {
  if (!isId(idpId)) throw idpNotFound(owner, "idpId", idpId);
  const values = {
    ownerId: owner.id,
    aggregateId: idpId.toLowerCase(),
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: `${owner.kind}.idp.removed`, payload: {} }]),
  };
  const [row] = await deleteIdp(db, values, call);
  if (row === undefined) throw idpNotFound(owner, "idpId", idpId);
  return toObjectDetails(row, owner.id);
}

/** Deletes the provider, which deletes its links, including links added concurrently. */
const deleteIdp = prepareWrite<EventValues, ObjectRow>((db, param) =>
  db
    .with("removed", (query) =>
      query
        .deleteFrom("idps")
        .where("owner_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .returning(removedColumns(param, "idps")),
    )
    .with("appended", () => appendEvents(param, "removed"))
    .selectFrom("removed")
    .selectAll(),
);
