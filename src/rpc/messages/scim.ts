import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ListScimRequestsRequest, UpdateScimConnectionRequest } from "../../../gen/signet/v1/scim_pb.js";
import type { Problems } from "../../errors.ts";
import { SCIM_CONNECTIONS, type ScimConnectionRow } from "../../scim/connections/list-scim-connections.ts";
import { checkScimConnection } from "../../scim/connections/scim-settings.ts";
import { SCIM_REQUEST_ORDER, type ScimRequestRow } from "../../scim/requests/list-scim-requests.ts";
import { toDetails } from "./details.ts";
import { searchOf } from "./list.ts";

/** The fields for `updateScimConnection`. */
export function toScimConnectionChange(request: UpdateScimConnectionRequest, problems: Problems) {
  return { id: request.id, ...checkScimConnection(request, problems) };
}

/** The fields for `SCIM_CONNECTIONS.list`. */
export const toScimConnectionSearch = searchOf(SCIM_CONNECTIONS.order);

/** Converts a SCIM connection. It never contains a token. */
export function toScimConnection(row: ScimConnectionRow) {
  const { id, name, addressRule, linkAttribute, lastUsedAt, previousTokenUntil } = row;
  return {
    id,
    details: toDetails(row, row.ownerId),
    name,
    addressRule,
    linkAttribute,
    idpId: row.idpId ?? "",
    groupAppId: row.groupAppId ?? "",
    linkPath: row.linkPath ?? "",
    isTrial: row.isTrial,
    ...(lastUsedAt !== null && { lastUsedDate: timestampFromDate(lastUsedAt) }),
    ...(previousTokenUntil !== null && { previousTokenExpirationDate: timestampFromDate(previousTokenUntil) }),
  };
}

/** The fields for `listScimRequests`. */
export const toScimRequestSearch = searchOf(SCIM_REQUEST_ORDER, ({ id, failedOnly }: ListScimRequestsRequest) => ({
  id,
  failedOnly,
}));

/** Converts a request of a directory. */
export function toScimRequest({ position, createdAt, userId, ...row }: ScimRequestRow) {
  return { ...row, id: String(position), creationDate: timestampFromDate(createdAt), userId: userId ?? "" };
}
