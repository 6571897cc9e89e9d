import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Changed } from "../events/object-details.ts";
import { type ChangeIdpParts, changeIdp } from "./change-idp.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { prepareIdpChange } from "./prepare-idp-change.ts";

/**
 * Deactivates a provider (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, IDP_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export async function deactivateIdp(
  parts: ChangeIdpParts,
  { idpId }: { readonly idpId: string },
  owner: IdpOwner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.idp.deactivated`, payload: {} } as const;
  return await changeIdp(parts, setInactive, owner, { idpId, event }, call);
}

const setInactive = prepareIdpChange({
  refuseIf: () => ({ state: sql`held.state = 'inactive'` }),
  set: () => ({ state: sql.lit("inactive") }),
});
