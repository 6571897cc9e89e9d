import { create } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import type { IDP } from "../../gen/signet/v1/idp_config_pb.js";
import {
  type GetIDPByIDRequest,
  type GetIDPByIDResponse,
  GetIDPByIDResponseSchema,
} from "../../gen/signet/v1/idp_instance_pb.js";
import {
  type GetOrgIDPByIDRequest,
  type GetOrgIDPByIDResponse,
  GetOrgIDPByIDResponseSchema,
} from "../../gen/signet/v1/idp_org_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { type IdpOwner, idpNotFound, instanceOwner, orgOwner } from "./idp-owner.ts";
import { IDP_COLUMNS, type IdpRow, toIdp } from "./idp-row.ts";

export interface GetIdpParts {
  readonly db: Kysely<Tables>;
}

/**
 * Returns a provider of the instance (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, or for a failure of the database.
 */
export async function getIdpById(
  parts: GetIdpParts,
  { id }: GetIDPByIDRequest,
  call: Call,
): Promise<GetIDPByIDResponse> {
  return create(GetIDPByIDResponseSchema, { idp: await findIdp(parts, id, instanceOwner(call), call) });
}

/**
 * Returns a provider of the organization or of the instance (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, or for a failure of the database.
 */
export async function getOrgIdpById(
  parts: GetIdpParts,
  { id }: GetOrgIDPByIDRequest,
  call: Call,
): Promise<GetOrgIDPByIDResponse> {
  return create(GetOrgIDPByIDResponseSchema, { idp: await findIdp(parts, id, orgOwner(call), call) });
}

async function findIdp({ db }: GetIdpParts, id: string, owner: IdpOwner, call: Call): Promise<IDP> {
  const values = { id, ownerId: owner.id, instanceId: call.instanceId };
  const [row] = isId(id) ? await selectIdp(db, values, call) : [];
  if (row === undefined) throw idpNotFound(owner, "id", id);
  return toIdp(row, call.instanceId);
}

const selectIdp = prepareStatement<{ id: string; ownerId: string; instanceId: string }, IdpRow>((db, param) =>
  db
    .selectFrom("idps")
    .select(IDP_COLUMNS)
    .where("id", "=", param("id", "uuid"))
    .where("owner_id", "in", [sql<string>`${param("ownerId", "uuid")}`, sql<string>`${param("instanceId", "uuid")}`]),
);
