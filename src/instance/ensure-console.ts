import { ensureConsoleApp } from "../apps/console-app.ts";
import { createOperatorCall } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";

/**
 * Adds the console's application to the instance, if it is missing, and adapts its URIs to PUBLIC_URL; see
 * `ensureConsoleApp`.
 *
 * @throws SignetError for a failure of the database.
 */
export async function ensureConsole(
  parts: { readonly db: Database; readonly clock: Clock },
  publicUrl: string,
): Promise<void> {
  const { id } = await parts.db.selectFrom("instance").select("id").executeTakeFirstOrThrow();
  await ensureConsoleApp(parts, publicUrl, createOperatorCall({ instanceId: id, orgId: id }));
}
