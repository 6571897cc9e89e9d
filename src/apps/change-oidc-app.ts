import type { Selectable } from "kysely";
import type { Call } from "../call.ts";
import { createClientSecret, createId, hashSecret } from "../crypto/secrets.ts";
import {
  type AppConfig,
  type AppConfigFields,
  toConfig,
  toConfigColumns,
  toConfigFields,
} from "../database/app-config.ts";
import type { Tables } from "../database/tables.ts";
import { invalidArgument, type Violation } from "../errors.ts";
import { toAppEventPayload } from "../events/app-event-payload.ts";
import {
  addObject,
  type Change,
  type ChangeParts,
  changeObject,
  inChange,
  runChange,
} from "../events/change-object.ts";
import type { Changed } from "../events/object-details.ts";
import { apiAccessDenied, mayGrantApiAccess } from "./api-access.ts";
import { checkOidcConfig, type NewOidcApp } from "./check-oidc-app.ts";
import { holdApp } from "./hold-app.ts";
import { checkServiceUser } from "./service-user.ts";

interface CreatedApp {
  readonly appId: string;
  readonly clientId: string;
  /** Empty if the application has none. */
  readonly clientSecret: string;
}

/**
 * Adds an application (docs/reference/applications.md). Its id is also its client id, unless another one is given.
 *
 * @throws SignetError PERMISSION_DENIED (see `mayGrantApiAccess` and `throwIfServiceUserDenied`), INVALID_ARGUMENT for an
 *   unknown `serviceUserId`, or for a failure of the database.
 */
export async function addOidcApp(
  parts: ChangeParts,
  { name, config }: NewOidcApp,
  call: Call,
  appId = createId(),
): Promise<Changed & CreatedApp> {
  if (config.apiAccess && !mayGrantApiAccess(call)) throw apiAccessDenied();
  const clientSecret = hasSecret(config.authMethod) ? createClientSecret() : "";
  const secret_hash = clientSecret === "" ? null : hashSecret(clientSecret);
  return await runChange(parts, call, async (change) => {
    await checkServiceUser(change, config.serviceUserId, call);
    const columns = { owner_id: call.orgId, id: appId, name, secret_hash, ...toConfigColumns(config) };
    const event = { type: "app.oidc.added", payload: { name, ...toAppEventPayload(config) } } as const;
    return { appId, clientId: appId, clientSecret, ...(await addObject(change, "apps", columns, [event])) };
  });
}

/** A checked UpdateOIDCAppConfigRequest. */
export interface OidcAppChange {
  readonly appId: string;
  readonly config: AppConfig;
}

/**
 * Replaces the configuration of an application (docs/reference/applications.md). If the application then needs its
 * first secret, it gets a random one, which is not returned; `regenerateClientSecret` replaces it.
 *
 * @throws SignetError APP_NOT_FOUND, INVALID_ARGUMENT for an unknown `serviceUserId`, PERMISSION_DENIED (see `holdApp` and
 *   `replaceConfig`), or for a failure of the database.
 */
export const updateOidcAppConfig = inChange(async (change, { appId, config }: OidcAppChange, call) => {
  return await replaceConfig(change, await holdApp(change, appId, call), config, call);
});

/**
 * Replaces the configuration of a locked application, and takes from users the roles that it no longer has.
 *
 * @throws SignetError PERMISSION_DENIED if the caller may not give the application API access or its machine user.
 */
async function replaceConfig(
  change: Change,
  app: Selectable<Tables["apps"]>,
  config: AppConfig,
  call: Call,
): Promise<Changed> {
  if (config.apiAccess && !mayGrantApiAccess(call)) throw apiAccessDenied();
  await checkServiceUser(change, config.serviceUserId, call);
  const lost = app.roles.filter((role) => !config.roles.includes(role));
  if (lost.length > 0) {
    await change.db
      .deleteFrom("user_app_roles")
      .where("org_id", "=", call.orgId)
      .where("app_id", "=", app.id)
      .where("role", "in", lost)
      .execute();
  }
  const secret_hash = hasSecret(config.authMethod) ? (app.secret_hash ?? hashSecret(createClientSecret())) : null;
  const event = { type: "app.oidc.changed", payload: toAppEventPayload(config) } as const;
  return await changeObject(change, "apps", app, [event], { ...toConfigColumns(config), secret_hash });
}

/** Whether an application with the authentication method has a secret. */
export function hasSecret(method: AppConfig["authMethod"]): boolean {
  return method === "basic" || method === "post";
}

/** A checked PatchOIDCAppConfigRequest. */
export interface OidcAppPatch {
  readonly appId: string;
  /** The new values of the settings to change. */
  readonly changes: Partial<AppConfigFields>;
}

/**
 * Changes some settings of an application, and keeps the others (docs/reference/applications.md). The rules apply to
 * the whole configuration. A first secret is as in `updateOidcAppConfig`.
 *
 * @throws SignetError INVALID_ARGUMENT, APP_NOT_FOUND, PERMISSION_DENIED (see `holdApp` and `replaceConfig`), or for a
 *   failure of the database.
 */
export const patchOidcAppConfig = inChange(async (change, { appId, changes }: OidcAppPatch, call) => {
  const app = await holdApp(change, appId, call);
  const config = changeConfig(toConfig(app), changes);
  return { config, ...(await replaceConfig(change, app, config, call)) };
});

/**
 * Changes the names of the roles of an application, as `patchOidcAppConfig`.
 *
 * @param toRoles Gets the current ones.
 */
export const changeAppRoles = inChange(
  async (
    change,
    { appId, toRoles }: { readonly appId: string; readonly toRoles: (roles: readonly string[]) => readonly string[] },
    call,
  ) => {
    const app = await holdApp(change, appId, call);
    const config = changeConfig(toConfig(app), { roles: [...toRoles(app.roles)] });
    return await replaceConfig(change, app, config, call);
  },
);

/** @throws SignetError INVALID_ARGUMENT for the rules that the new configuration violates. */
function changeConfig(stored: AppConfig, changes: Partial<AppConfigFields>): AppConfig {
  const violations: Violation[] = [];
  const config = checkOidcConfig(
    { ...toConfigFields(stored), ...changes },
    { add: (field, description) => violations.push({ field, description }) },
  );
  if (violations.length > 0) throw invalidArgument(...violations);
  return config;
}
