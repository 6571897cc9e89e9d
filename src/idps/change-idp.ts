import { type Problems, SignetError } from "../errors.ts";
import type { IdpPayload } from "../events/catalogue.ts";
import { changeObject, inOwnerChange, removeObject } from "../events/change-object.ts";
import { checkIdpName } from "./check-idp-fields.ts";
import { isDraft } from "./draft.ts";
import { holdIdp, holdIdpToChange, type IdpId } from "./hold-idp.ts";

/** A checked request. */
type IdpChange = Readonly<IdpPayload> & { readonly idpId: string };

/** Checks the rules of UpdateIDPRequest and UpdateOrgIDPRequest that the schemas cannot express. */
export function checkUpdateIdp(request: IdpChange, problems: Problems): IdpChange {
  const { idpId, stylingType, autoRegister, federatedLogoutEnabled } = request;
  return { idpId, name: checkIdpName(request.name, problems), stylingType, autoRegister, federatedLogoutEnabled };
}

/**
 * Replaces the general settings of a provider (docs/reference/providers.md). If all values are already stored, nothing
 * changes.
 *
 * @throws SignetError IDP_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export const updateIdp = inOwnerChange(async (change, { idpId, ...payload }: IdpChange, owner, call) => {
  const { idp } = await holdIdpToChange(change, { idpId }, owner, call);
  const columns = {
    name: payload.name,
    styling_type: payload.stylingType,
    auto_register: payload.autoRegister,
    federated_logout_enabled: payload.federatedLogoutEnabled,
  };
  return await changeObject(change, "idps", idp, [{ type: `${owner.kind}.idp.changed`, payload }], columns);
});

/**
 * Deactivates a provider (docs/reference/providers.md).
 *
 * @throws SignetError IDP_NOT_FOUND, IDP_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export const deactivateIdp = inOwnerChange(async (change, { idpId }: { readonly idpId: string }, owner, call) => {
  const { idp } = await holdIdpToChange(change, { idpId }, owner, call);
  if (idp.state !== "active") throw idpState("IDP_STATE_INACTIVE");
  const event = { type: `${owner.kind}.idp.deactivated`, payload: {} } as const;
  return await changeObject(change, "idps", idp, [event], { state: "inactive" });
});

/** Reactivates a provider (docs/reference/providers.md). @throws SignetError as `deactivateIdp`. */
export const reactivateIdp = inOwnerChange(async (change, { idpId }: { readonly idpId: string }, owner, call) => {
  const { idp } = await holdIdpToChange(change, { idpId }, owner, call);
  if (idp.state === "active") throw idpState("IDP_STATE_ACTIVE");
  if (isDraft(idp)) throw idpState("IDP_STATE_INACTIVE", "without settings");
  const event = { type: `${owner.kind}.idp.reactivated`, payload: {} } as const;
  return await changeObject(change, "idps", idp, [event], { state: "active" });
});

function idpState(state: "IDP_STATE_ACTIVE" | "IDP_STATE_INACTIVE", detail = ""): SignetError {
  const message = `the call is not allowed for an identity provider in the state ${state} ${detail}`.trim();
  return new SignetError("IDP_STATE", message, { metadata: { state } });
}

/**
 * Removes a provider, and all links to it (docs/reference/providers.md), which the database deletes, also links added
 * concurrently.
 *
 * @throws SignetError IDP_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export const removeIdp = inOwnerChange(async (change, id: IdpId, owner, call) => {
  const { idp } = await holdIdp(change, id, owner, call);
  return await removeObject(change, "idps", idp, [{ type: `${owner.kind}.idp.removed`, payload: {} }]);
});
