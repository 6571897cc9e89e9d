import { create } from "@bufbuild/protobuf";
import { type AddOrgOIDCIDPResponse, AddOrgOIDCIDPResponseSchema } from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import { orgOwner } from "./idp-owner.ts";
import { type AddOidcIdpParts, type OidcIdp, storeOidcIdp } from "./oidc-idp.ts";

/**
 * Adds an OpenID Connect provider of an organization, usable by that organization only (docs/api.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function addOrgOidcIdp(parts: AddOidcIdpParts, idp: OidcIdp, call: Call): Promise<AddOrgOIDCIDPResponse> {
  const response = create(AddOrgOIDCIDPResponseSchema);
  return await storeOidcIdp(parts, idp, orgOwner(call), call, response);
}
