import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Changed } from "../events/object-details.ts";
import { checkAddressTrust } from "./address-trust.ts";
import type { CheckedProvider } from "./check-provider.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { type InsertIdpParts, insertIdp } from "./insert-idp.ts";
import { toProviderPayload } from "./provider-payload.ts";
import { MAPPING_FIELD, STYLING_TYPE } from "./stored-numbers.ts";

/**
 * Adds a provider of any kind to the instance or to an organization (docs/api.md). Encrypts the secret.
 *
 * @throws SignetError PERMISSION_DENIED for automatic linking or trusted addresses without the permissions, or for a
 *   failure of the database.
 */
export async function addProvider(
  parts: InsertIdpParts,
  { provider, secret }: CheckedProvider,
  owner: IdpOwner,
  call: Call<Principal | Operator>,
): Promise<Changed & { readonly id: string }> {
  const { options, ...columns } = provider;
  checkAddressTrust({ ...options, ...provider.settings }, owner, call);
  const { isAutoCreation: autoRegister, ...allowed } = options;
  const idp = { ...columns, ...UNMAPPED, autoRegister, ...allowed };
  const event = { type: `${owner.kind}.idp.provider.added`, payload: toProviderPayload(provider) } as const;
  return await insertIdp(parts, idp, secret, event, owner, call);
}

/** The settings that only the deprecated calls have. */
const UNMAPPED = {
  stylingType: STYLING_TYPE.unspecified,
  displayNameMapping: MAPPING_FIELD.unspecified,
  usernameMapping: MAPPING_FIELD.unspecified,
};
