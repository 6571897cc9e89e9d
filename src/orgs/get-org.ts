import { create } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import {
  type GetMyOrgRequest,
  type GetMyOrgResponse,
  GetMyOrgResponseSchema,
  type GetOrgByIDRequest,
  type GetOrgByIDResponse,
  GetOrgByIDResponseSchema,
  type Org,
} from "../../gen/signet/v1/org_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { type OrgRow, toOrg } from "./org-row.ts";

export interface GetOrgParts {
  readonly db: Kysely<Tables>;
}

/**
 * Returns the organization of the call (docs/api.md).
 *
 * @throws SignetError ORG_NOT_FOUND, or for a failure of the database.
 */
export async function getMyOrg({ db }: GetOrgParts, _request: GetMyOrgRequest, call: Call): Promise<GetMyOrgResponse> {
  return create(GetMyOrgResponseSchema, { org: await findOrg(db, call.orgId, call) });
}

/**
 * Returns an organization of the instance (docs/api.md).
 *
 * @throws SignetError ORG_NOT_FOUND, or for a failure of the database.
 */
export async function getOrgById(
  { db }: GetOrgParts,
  { id }: GetOrgByIDRequest,
  call: Call,
): Promise<GetOrgByIDResponse> {
  return create(GetOrgByIDResponseSchema, { org: await findOrg(db, id, call) });
}

async function findOrg(db: Kysely<Tables>, id: string, call: Call): Promise<Org> {
  const [row] = isId(id) ? await selectOrg(db, { id }, call) : [];
  if (row === undefined) {
    throw new SignetError("ORG_NOT_FOUND", "the organization does not exist", {
      metadata: { field: "id", ...(isId(id) && { orgId: id }) },
    });
  }
  return toOrg(row);
}

const selectOrg = prepareStatement<{ id: string }, OrgRow>((db, param) =>
  db
    .selectFrom("orgs")
    .select(["id", "name", "sequence", "created_at", "changed_at"])
    .where("id", "=", param("id", "uuid")),
);
