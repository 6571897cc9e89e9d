import type { Operator } from "../actor.ts";
import type { Call } from "../call.ts";
import { type AppConfig, EMPTY_APP_CONFIG } from "../database/app-config.ts";
import { type ChangeParts, holdObject, runChange } from "../events/change-object.ts";
import { addOidcApp, patchOidcAppConfig } from "./change-oidc-app.ts";

/**
 * The id, and client id, of the console's application. It is the same in every database, so that all processes that
 * start at once create the same application, and a process does not have to look it up to serve the console.
 */
export const CONSOLE_APP_ID = "c0501e00-0000-8000-8000-000000000000";

/** Below PUBLIC_URL. */
export const CONSOLE_PATHS = {
  home: "/console",
  /** The same page, also while the instance has no administrator. */
  root: "/console/",
  signedIn: "/console/signed-in",
  signedOut: "/console/signed-out",
} as const;

/**
 * Adds the application of the console to the instance, unless there is one, and makes its URIs those of PUBLIC_URL. An
 * application that is deactivated stays so. Several processes may call it at once.
 *
 * @param call Its organization is the instance.
 * @throws SignetError for a failure of the database.
 */
export async function ensureConsoleApp(parts: ChangeParts, publicUrl: string, call: Call<Operator>): Promise<void> {
  const config = toConfig(publicUrl);
  await runChange(parts, call, async (change) => {
    const own = { ...parts, db: change.db };
    await holdObject(change, "instance", { id: call.orgId });
    const app = await holdObject(change, "apps", { owner_id: call.orgId, id: CONSOLE_APP_ID });
    if (app === undefined) return await addOidcApp(own, { name: "Signet Console", config }, call, CONSOLE_APP_ID);
    const { redirectUris, postLogoutRedirectUris, devMode } = config;
    const changes = { redirectUris, postLogoutRedirectUris, devMode };
    return await patchOidcAppConfig(own, { appId: CONSOLE_APP_ID, changes }, call);
  });
}

/** A public client: a browser cannot keep a secret. */
function toConfig(publicUrl: string): AppConfig {
  return {
    ...EMPTY_APP_CONFIG,
    type: "spa",
    authMethod: "none",
    grantTypes: ["authorization_code"],
    redirectUris: [publicUrl + CONSOLE_PATHS.signedIn],
    postLogoutRedirectUris: [publicUrl + CONSOLE_PATHS.signedOut],
    devMode: publicUrl.startsWith("http:"),
    apiAccess: true,
    requiresPkce: true,
  };
}
