import { create } from "@bufbuild/protobuf";
import {
  type AddOrgOIDCIDPRequest,
  AddOrgOIDCIDPRequestSchema,
  type AddOrgOIDCIDPResponse,
  AddOrgOIDCIDPResponseSchema,
} from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { checkMessage } from "../fields/check-message.ts";
import { type AddOidcIdpContext, checkOidcIdp, createStoreOidcIdp } from "./oidc-idp.ts";

/**
 * Adds an OpenID Connect provider for one organization, the only one that can use it (docs/api.md).
 *
 * The function throws SignetError: INVALID_ARGUMENT, or what the database gives.
 */
export function createAddOrgOidcIdp(context: AddOidcIdpContext) {
  const storeOidcIdp = createStoreOidcIdp(context);

  return async (request: AddOrgOIDCIDPRequest, call: Call): Promise<AddOrgOIDCIDPResponse> => {
    checkMessage(AddOrgOIDCIDPRequestSchema, request, () => checkOidcIdp(request));
    const { id, row } = await storeOidcIdp(request, { kind: "org", id: call.orgId }, call);
    return create(AddOrgOIDCIDPResponseSchema, { idpId: id, details: toObjectDetails(row, call.orgId) });
  };
}
