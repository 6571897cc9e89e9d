import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import { differsFrom } from "../database/differs-from.ts";
import type { Param } from "../database/prepare.ts";
import type { Problems } from "../errors.ts";
import type { IdpPayload } from "../events/catalogue.ts";
import type { Changed } from "../events/object-details.ts";
import { type ChangeIdpParts, changeIdp } from "./change-idp.ts";
import { checkIdpName } from "./check-idp-name.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { prepareIdpChange } from "./prepare-idp-change.ts";

/** A checked request. */
type IdpChange = Readonly<IdpPayload> & { readonly idpId: string };

/** Checks the rules of UpdateIDPRequest and UpdateOrgIDPRequest that the schemas cannot express. */
export function checkUpdateIdp(request: IdpChange, problems: Problems): IdpChange {
  const { idpId, stylingType, autoRegister, federatedLogoutEnabled } = request;
  return { idpId, name: checkIdpName(request.name, problems), stylingType, autoRegister, federatedLogoutEnabled };
}

/**
 * Replaces the general settings of a provider (docs/api.md). If all values are already stored, nothing changes.
 *
 * @throws SignetError IDP_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export async function updateIdp(
  parts: ChangeIdpParts,
  { idpId, name, stylingType, autoRegister, federatedLogoutEnabled }: IdpChange,
  owner: IdpOwner,
  call: Call<Principal | Operator>,
): Promise<Changed> {
  const payload = { name, stylingType, autoRegister, federatedLogoutEnabled };
  const event = { type: `${owner.kind}.idp.changed`, payload } as const;
  return await changeIdp(parts, updateSettings, owner, { idpId, ...payload, event }, call);
}

const updateSettings = prepareIdpChange<IdpPayload>({
  differs: (param) => differsFrom("held", settingsColumns(param)),
  set: settingsColumns,
});

function settingsColumns(param: Param<IdpPayload>) {
  return {
    name: param("name", "text"),
    styling_type: param("stylingType", "smallint"),
    auto_register: param("autoRegister", "boolean"),
    federated_logout_enabled: param("federatedLogoutEnabled", "boolean"),
  };
}
