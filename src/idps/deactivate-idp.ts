import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type DeactivateIDPRequest,
  type DeactivateIDPResponse,
  DeactivateIDPResponseSchema,
} from "../../gen/signet/v1/idp_instance_pb.js";
import {
  type DeactivateOrgIDPRequest,
  type DeactivateOrgIDPResponse,
  DeactivateOrgIDPResponseSchema,
} from "../../gen/signet/v1/idp_org_pb.js";
import type { Call } from "../call.ts";
import { type ChangeIdpParts, changeIdp } from "./change-idp.ts";
import { type IdpOwner, instanceOwner, orgOwner } from "./idp-owner.ts";
import { prepareIdpChange } from "./prepare-idp-change.ts";

/**
 * Deactivates a provider of the instance (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, IDP_STATE, or for a failure of the database.
 */
export async function deactivateIdp(
  parts: ChangeIdpParts,
  { idpId }: DeactivateIDPRequest,
  call: Call,
): Promise<DeactivateIDPResponse> {
  return create(DeactivateIDPResponseSchema, { details: await deactivate(parts, idpId, instanceOwner(call), call) });
}

/**
 * The same for a provider of the organization.
 *
 * @throws SignetError IDP_NOT_FOUND, also for a provider of the instance, IDP_STATE, or for a failure of the database.
 */
export async function deactivateOrgIdp(
  parts: ChangeIdpParts,
  { idpId }: DeactivateOrgIDPRequest,
  call: Call,
): Promise<DeactivateOrgIDPResponse> {
  return create(DeactivateOrgIDPResponseSchema, { details: await deactivate(parts, idpId, orgOwner(call), call) });
}

function deactivate(parts: ChangeIdpParts, idpId: string, owner: IdpOwner, call: Call) {
  const event = { type: `${owner.kind}.idp.deactivated`, payload: {} } as const;
  return changeIdp(parts, setInactive, owner, { idpId, event }, call);
}

const setInactive = prepareIdpChange({
  isRefused: sql`idps.state = 'inactive'`,
  set: () => ({ state: sql.lit("inactive") }),
});
