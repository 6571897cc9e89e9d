import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import type { Owner } from "../../owner.ts";
import { checkAddressTrust } from "../address-trust.ts";
import { addProvider, updateProvider } from "../change-provider.ts";
import type { InsertIdpParts } from "../insert-idp.ts";
import type { CheckedSamlProvider } from "./check-saml-provider.ts";
import { type LoadMetadataParts, loadMetadata } from "./load-metadata.ts";
import { createSigningKey } from "./signing-key.ts";

/**
 * Adds a SAML provider to the instance or to an organization (docs/reference/providers.md), with a new key that signs
 * requests.
 *
 * @throws SignetError INVALID_ARGUMENT for metadata that cannot be used or loaded, PERMISSION_DENIED for automatic
 *   linking or trusted addresses without the permissions, UNAVAILABLE if too many metadata wait, or for a failure of the database.
 */
export async function addSamlProvider(
  parts: InsertIdpParts & LoadMetadataParts,
  request: CheckedSamlProvider,
  owner: Owner,
  call: Call,
): Promise<Changed & { readonly id: string }> {
  checkAddressTrust({ ...request.options, trustEmail: request.trustEmail }, owner, call);
  const provider = await loadMetadata(parts, request, owner, call);
  const secret = await createSigningKey(parts.clock());
  call.throwIfOver();
  return await addProvider(parts, { id: "", provider, secret }, owner, call);
}

/**
 * Replaces the settings of a SAML provider (docs/reference/providers.md), and keeps its key.
 *
 * @throws SignetError as `addSamlProvider` and `updateProvider`.
 */
export async function updateSamlProvider(
  parts: InsertIdpParts & LoadMetadataParts,
  request: CheckedSamlProvider,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  checkAddressTrust({ ...request.options, trustEmail: request.trustEmail }, owner, call);
  const provider = await loadMetadata(parts, request, owner, call);
  call.throwIfOver();
  return await updateProvider(parts, { id: request.id, provider, secret: "" }, owner, call);
}
