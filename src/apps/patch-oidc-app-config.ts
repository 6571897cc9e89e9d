import { sql } from "kysely";
import { createClientSecret, hashSecret } from "../crypto/secrets.ts";
import { differsFrom } from "../database/differs-from.ts";
import { invalidArgument, type Violation } from "../errors.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import { retryWhenChanged } from "../events/retry-when-changed.ts";
import { apiAccessDenied, mayGrantApiAccess } from "./api-access.ts";
import { toAppEventPayload } from "./app-event-payload.ts";
import { checkOidcConfig, type OidcConfig } from "./check-oidc-app.ts";
import { getAppById } from "./get-app-by-id.ts";
import {
  type AppCall,
  type ChangeAppParts,
  prepareAppChange,
  refuseConfig,
  runAppChange,
} from "./prepare-app-change.ts";
import { type ConfigValues, configColumns, removeRoles, setConfig } from "./update-oidc-app-config.ts";

/** A checked PatchOIDCAppConfigRequest. */
export interface OidcAppPatch {
  readonly appId: string;
  /** The new values of the settings to change. */
  readonly changes: Partial<OidcConfig>;
}

export interface PatchedApp extends Changed {
  readonly config: OidcAppPayload;
}

/**
 * Changes some settings of an application, and keeps the others (docs/api.md). The rules apply to the whole
 * configuration, so it is read first, and read again if it has changed before it is written. A first secret is as in
 * `updateOidcAppConfig`.
 *
 * @throws SignetError INVALID_ARGUMENT, APP_NOT_FOUND, PERMISSION_DENIED (see `mayGrantApiAccess` and `mayUseService`),
 *   ABORTED, or for a failure of the database.
 */
export async function patchOidcAppConfig(
  parts: ChangeAppParts,
  { appId, changes }: OidcAppPatch,
  call: AppCall,
): Promise<PatchedApp> {
  const unknownSecretHash = hashSecret(createClientSecret());
  return await retryWhenChanged(async () => {
    const stored = await getAppById(parts, { appId }, call);
    if ((stored.apiAccess || changes.apiAccess === true) && !mayGrantApiAccess(call)) throw apiAccessDenied();
    const config = changeConfig(stored, changes);
    const event = { type: "app.oidc.changed", payload: toAppEventPayload(config) } as const;
    const values = { appId, event, ...config, unknownSecretHash, readSequence: stored.sequence };
    const app = await runAppChange(parts, PATCH_CONFIG, values, call);
    return app === "CHANGED" ? undefined : { ...toChanged(app, call.orgId), config };
  });
}

/** @throws SignetError INVALID_ARGUMENT for the rules that the new configuration violates. */
function changeConfig(stored: OidcAppPayload, changes: Partial<OidcConfig>): OidcAppPayload {
  const { backChannelLogoutUri, jwks, jwksUri, serviceUserId } = stored;
  const texts = {
    backChannelLogoutUri: backChannelLogoutUri ?? "",
    jwks: jwks ?? "",
    jwksUri: jwksUri ?? "",
    serviceUserId: serviceUserId ?? "",
  };
  const violations: Violation[] = [];
  const config = checkOidcConfig(
    { ...stored, ...texts, ...changes },
    { add: (field, description) => violations.push({ field, description }) },
  );
  if (violations.length > 0) throw invalidArgument(...violations);
  return config;
}

interface PatchValues extends ConfigValues {
  /** The sequence of the configuration that was read. */
  readSequence: bigint;
}

const PATCH_CONFIG = prepareAppChange<PatchValues>({
  refuse: (given) => sql`case
    when held.sequence <> ${given("readSequence", "bigint")} then 'CHANGED' else ${refuseConfig(given)} end`,
  differs: (given) => differsFrom("held", configColumns(given)),
  set: setConfig,
  writes: removeRoles,
});
