import { create } from "@bufbuild/protobuf";
import {
  type AddOIDCIDPRequest,
  AddOIDCIDPRequestSchema,
  type AddOIDCIDPResponse,
  AddOIDCIDPResponseSchema,
} from "../../gen/signet/v1/admin_pb.js";
import type { Call } from "../call.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { checkMessage } from "../fields/check-message.ts";
import { type AddOidcIdpContext, checkOidcIdp, createStoreOidcIdp } from "./oidc-idp.ts";

/**
 * Adds an OpenID Connect provider for the whole instance: every organization can use it (docs/api.md).
 *
 * The function throws SignetError: INVALID_ARGUMENT, or what the database gives.
 */
export function createAddOidcIdp(context: AddOidcIdpContext) {
  const storeOidcIdp = createStoreOidcIdp(context);

  return async (request: AddOIDCIDPRequest, call: Call): Promise<AddOIDCIDPResponse> => {
    checkMessage(AddOIDCIDPRequestSchema, request, () => checkOidcIdp(request));
    const { id, row } = await storeOidcIdp(request, { kind: "instance", id: call.instanceId }, call);
    return create(AddOIDCIDPResponseSchema, { idpId: id, details: toObjectDetails(row, call.instanceId) });
  };
}
