import { sql } from "kysely";
import { createClientSecret, hashSecret } from "../crypto/secrets.ts";
import type { Changed } from "../events/object-details.ts";
import { type AppCall, type ChangeAppParts, changeApp, prepareAppChange } from "./prepare-app-change.ts";

/**
 * Replaces an application's client secret; the old one stops working immediately (docs/api.md).
 *
 * @throws SignetError APP_NOT_FOUND, APP_WITHOUT_SECRET, PERMISSION_DENIED (see `mayGrantApiAccess` and `mayUseService`),
 *   or for a failure of the database.
 */
export async function regenerateClientSecret(
  parts: ChangeAppParts,
  { appId }: { readonly appId: string },
  call: AppCall,
): Promise<Changed & { readonly clientSecret: string }> {
  const clientSecret = createClientSecret();
  const event = { type: "app.oidc.secret.changed", payload: {} } as const;
  const change = { appId, event, secretHash: hashSecret(clientSecret) };
  return { clientSecret, ...(await changeApp(parts, CHANGE_SECRET, change, call, { clientSecret })) };
}

const CHANGE_SECRET = prepareAppChange<{ secretHash: Buffer }>({
  refuse: () => sql`case when held.auth_method not in ('basic', 'post') then 'APP_WITHOUT_SECRET' end`,
  set: (given) => ({ secret_hash: given("secretHash", "bytea") }),
});
