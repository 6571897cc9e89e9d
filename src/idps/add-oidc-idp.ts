import { create } from "@bufbuild/protobuf";
import { type AddOIDCIDPResponse, AddOIDCIDPResponseSchema } from "../../gen/signet/v1/admin_pb.js";
import type { Call } from "../call.ts";
import { instanceOwner } from "./idp-owner.ts";
import { type AddOidcIdpParts, type OidcIdp, storeOidcIdp } from "./oidc-idp.ts";

/**
 * Adds an OpenID Connect provider of the instance, usable by every organization (docs/api.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function addOidcIdp(parts: AddOidcIdpParts, idp: OidcIdp, call: Call): Promise<AddOIDCIDPResponse> {
  const response = create(AddOIDCIDPResponseSchema);
  return await storeOidcIdp(parts, idp, instanceOwner(call), call, response);
}
