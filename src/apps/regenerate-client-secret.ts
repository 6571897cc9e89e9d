import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type RegenerateOIDCClientSecretRequest,
  type RegenerateOIDCClientSecretResponse,
  RegenerateOIDCClientSecretResponseSchema,
} from "../../gen/signet/v1/app_pb.js";
import { createClientSecret, hashSecret } from "../crypto/secrets.ts";
import { SignetError } from "../errors.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type AppCall, type ChangeAppParts, changeApp, prepareAppChange } from "./prepare-app-change.ts";

/**
 * Replaces an application's client secret; the old one stops working immediately (docs/api.md).
 *
 * @throws SignetError APP_NOT_FOUND, APP_WITHOUT_SECRET, or for a failure of the database.
 */
export async function regenerateClientSecret(
  parts: ChangeAppParts,
  { appId }: Pick<RegenerateOIDCClientSecretRequest, "appId">,
  call: AppCall,
): Promise<RegenerateOIDCClientSecretResponse> {
  const clientSecret = createClientSecret();
  const response = create(RegenerateOIDCClientSecretResponseSchema, { clientSecret });
  call.keptResponse?.add(response);
  const event = { type: "app.oidc.secret.changed", payload: {} } as const;
  const app = await changeApp(parts, CHANGE_SECRET, { appId, event, secretHash: hashSecret(clientSecret) }, call);
  if (!app.is_changed) {
    throw new SignetError("APP_WITHOUT_SECRET", "the application has no secret: its authentication method is NONE");
  }
  response.details = toObjectDetails(app, call.orgId);
  return response;
}

const CHANGE_SECRET = prepareAppChange<{ secretHash: Buffer }>({
  when: () => sql`apps.auth_method <> 'none'`,
  set: (param) => ({ secret_hash: param("secretHash", "bytea") }),
  mustChange: true,
});
