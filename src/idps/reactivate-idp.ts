import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type ReactivateIDPRequest,
  type ReactivateIDPResponse,
  ReactivateIDPResponseSchema,
} from "../../gen/signet/v1/idp_instance_pb.js";
import {
  type ReactivateOrgIDPRequest,
  type ReactivateOrgIDPResponse,
  ReactivateOrgIDPResponseSchema,
} from "../../gen/signet/v1/idp_org_pb.js";
import type { Call } from "../call.ts";
import { type ChangeIdpParts, changeIdp } from "./change-idp.ts";
import { type IdpOwner, instanceOwner, orgOwner } from "./idp-owner.ts";
import { prepareIdpChange } from "./prepare-idp-change.ts";

/**
 * Reactivates a provider of the instance (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, IDP_STATE, or for a failure of the database.
 */
export async function reactivateIdp(
  parts: ChangeIdpParts,
  { idpId }: ReactivateIDPRequest,
  call: Call,
): Promise<ReactivateIDPResponse> {
  return create(ReactivateIDPResponseSchema, { details: await reactivate(parts, idpId, instanceOwner(call), call) });
}

/**
 * The same for a provider of the organization.
 *
 * @throws SignetError IDP_NOT_FOUND, also for a provider of the instance, IDP_STATE, or for a failure of the database.
 */
export async function reactivateOrgIdp(
  parts: ChangeIdpParts,
  { idpId }: ReactivateOrgIDPRequest,
  call: Call,
): Promise<ReactivateOrgIDPResponse> {
  return create(ReactivateOrgIDPResponseSchema, { details: await reactivate(parts, idpId, orgOwner(call), call) });
}

function reactivate(parts: ChangeIdpParts, idpId: string, owner: IdpOwner, call: Call) {
  const event = { type: `${owner.kind}.idp.reactivated`, payload: {} } as const;
  return changeIdp(parts, setActive, owner, { idpId, event }, call);
}

const setActive = prepareIdpChange({
  isRefused: sql`idps.state = 'active'`,
  set: () => ({ state: sql.lit("active") }),
});
