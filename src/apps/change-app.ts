import type { Call } from "../call.ts";
import { createClientSecret, hashSecret } from "../crypto/secrets.ts";
import { runTransaction } from "../database/run-transaction.ts";
import { SignetError } from "../errors.ts";
import { type ChangeParts, changeObject, inChange, removeObject, runChange } from "../events/change-object.ts";
import type { Changed } from "../events/object-details.ts";
import { hasSecret } from "./change-oidc-app.ts";
import { deleteTokens, holdApp } from "./hold-app.ts";

/**
 * Deactivates an application: users cannot sign in to it, and its tokens end (docs/reference/applications.md).
 *
 * @throws SignetError APP_NOT_FOUND, APP_STATE, PERMISSION_DENIED (see `holdApp`), or for a failure of the database.
 */
export const deactivateApp = inChange(async (change, { appId }: { readonly appId: string }, call) => {
  const app = await holdApp(change, appId, call);
  if (app.state !== "active") throw appState("APP_STATE_INACTIVE");
  await deleteTokens(change, app.id);
  return await changeObject(change, "apps", app, [{ type: "app.deactivated", payload: {} }], { state: "inactive" });
});

/**
 * Reactivates a deactivated application (docs/reference/applications.md). Its earlier tokens stay invalid.
 *
 * @throws SignetError APP_NOT_FOUND, APP_STATE, PERMISSION_DENIED (see `holdApp`), or for a failure of the database.
 */
export async function reactivateApp(
  parts: ChangeParts,
  { appId }: { readonly appId: string },
  call: Call,
): Promise<Changed> {
  // What the deactivation has left. After a deadline, the next attempt continues.
  while (await runTransaction(parts.db, call, async (db) => await deleteLeftTokens(db, appId, call)))
    call.throwIfOver();
  return await runChange(parts, call, async (change) => {
    const app = await holdApp(change, appId, call);
    if (app.state === "active") throw appState("APP_STATE_ACTIVE");
    return await changeObject(change, "apps", app, [{ type: "app.reactivated", payload: {} }], { state: "active" });
  });
}

async function deleteLeftTokens(db: ChangeParts["db"], appId: string, call: Call): Promise<boolean> {
  const app = await holdApp({ db }, appId, call);
  return app.state === "inactive" && (await deleteTokens({ db }, app.id));
}

function appState(state: "APP_STATE_ACTIVE" | "APP_STATE_INACTIVE"): SignetError {
  return new SignetError("APP_STATE", `the application is already in the state ${state}`, { metadata: { state } });
}

/**
 * Replaces an application's client secret; the old one stops working immediately (docs/reference/applications.md).
 *
 * @throws SignetError APP_NOT_FOUND, APP_WITHOUT_SECRET, PERMISSION_DENIED (see `holdApp`), or for a failure of the
 *   database.
 */
export const regenerateClientSecret = inChange(async (change, { appId }: { readonly appId: string }, call) => {
  const app = await holdApp(change, appId, call);
  if (!hasSecret(app.auth_method)) {
    const message = "the application has no secret: its authentication method is NONE or PRIVATE_KEY_JWT";
    throw new SignetError("APP_WITHOUT_SECRET", message);
  }
  const clientSecret = createClientSecret();
  const event = { type: "app.oidc.secret.changed", payload: {} } as const;
  const columns = { secret_hash: hashSecret(clientSecret) };
  return { clientSecret, ...(await changeObject(change, "apps", app, [event], columns)) };
});

/**
 * Removes an application (docs/reference/applications.md), which invalidates its tokens. The events are kept.
 *
 * @throws SignetError APP_NOT_FOUND, PERMISSION_DENIED (see `holdApp`), or for a failure of the database.
 */
export const removeApp = inChange(async (change, { appId }: { readonly appId: string }, call) => {
  const app = await holdApp(change, appId, call);
  await deleteTokens(change, app.id);
  return await removeObject(change, "apps", app, [{ type: "app.removed", payload: {} }]);
});
