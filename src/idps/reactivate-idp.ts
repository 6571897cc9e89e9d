import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Changed } from "../events/object-details.ts";
import { type ChangeIdpParts, changeIdp } from "./change-idp.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { prepareIdpChange } from "./prepare-idp-change.ts";

/**
 * Reactivates a provider (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, IDP_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export async function reactivateIdp(
  parts: ChangeIdpParts,
  { idpId }: { readonly idpId: string },
  owner: IdpOwner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.idp.reactivated`, payload: {} } as const;
  return await changeIdp(parts, setActive, owner, { idpId, event }, call);
}

const setActive = prepareIdpChange({
  refuseIf: () => ({ state: sql`held.state = 'active'` }),
  set: () => ({ state: sql.lit("active") }),
});
