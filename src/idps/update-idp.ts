import { create } from "@bufbuild/protobuf";
import {
  type UpdateIDPRequest,
  type UpdateIDPResponse,
  UpdateIDPResponseSchema,
} from "../../gen/signet/v1/idp_instance_pb.js";
import {
  type UpdateOrgIDPRequest,
  type UpdateOrgIDPResponse,
  UpdateOrgIDPResponseSchema,
} from "../../gen/signet/v1/idp_org_pb.js";
import type { Call } from "../call.ts";
import { differsFrom } from "../database/differs-from.ts";
import type { Param } from "../database/prepare.ts";
import type { IdpPayload } from "../events/catalogue.ts";
import { type ChangeIdpParts, changeIdp } from "./change-idp.ts";
import { type IdpOwner, instanceOf, orgOf } from "./idp-owner.ts";
import { prepareIdpChange } from "./prepare-idp-change.ts";

/**
 * Replaces the general settings of a provider of the instance (docs/api.md). If all values are already stored, nothing
 * changes.
 *
 * @throws SignetError IDP_NOT_FOUND, or for a failure of the database.
 */
export async function updateIdp(
  parts: ChangeIdpParts,
  request: UpdateIDPRequest,
  call: Call,
): Promise<UpdateIDPResponse> {
  return create(UpdateIDPResponseSchema, { details: await update(parts, request, instanceOf(call), call) });
}

/**
 * The same for a provider of the organization.
 *
 * @throws SignetError IDP_NOT_FOUND, also for a provider of the instance, or for a failure of the database.
 */
export async function updateOrgIdp(
  parts: ChangeIdpParts,
  request: UpdateOrgIDPRequest,
  call: Call,
): Promise<UpdateOrgIDPResponse> {
  return create(UpdateOrgIDPResponseSchema, { details: await update(parts, request, orgOf(call), call) });
}

function update(
  parts: ChangeIdpParts,
  { idpId, name, stylingType, autoRegister }: UpdateIDPRequest | UpdateOrgIDPRequest,
  owner: IdpOwner,
  call: Call,
) {
  const payload = { name, stylingType, autoRegister };
  const event = { type: `${owner.kind}.idp.changed`, payload } as const;
  return changeIdp(parts, updateSettings, owner, { idpId, ...payload, event }, call);
}

const updateSettings = prepareIdpChange<IdpPayload>({
  differs: (param) => differsFrom("idps", settingsColumns(param)),
  set: settingsColumns,
});

function settingsColumns(param: Param<IdpPayload>) {
  return {
    name: param("name", "text"),
    styling_type: param("stylingType", "smallint"),
    auto_register: param("autoRegister", "boolean"),
  };
}
