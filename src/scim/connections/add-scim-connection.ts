import type { Call } from "../../call.ts";
import { createId } from "../../crypto/secrets.ts";
import type { ScimConnectionPayload } from "../../events/catalogue.ts";
import { addObject, type ChangeParts, runChange } from "../../events/change-object.ts";
import type { Changed } from "../../events/object-details.ts";
import { throwIfUnknown, toScimColumns, toScimPayload } from "./scim-settings.ts";
import { createScimToken } from "./scim-token.ts";

/**
 * Adds a SCIM connection to the organization (docs/reference/scim.md). The token cannot be shown again.
 *
 * @throws SignetError INVALID_ARGUMENT for an unknown provider or application, or for a failure of the database.
 */
export async function addScimConnection(
  parts: ChangeParts,
  settings: ScimConnectionPayload,
  call: Call,
): Promise<Changed & { readonly id: string; readonly token: string }> {
  const id = createId();
  const { token, hash: token_hash } = createScimToken();
  const event = { type: "org.scim.connection.added", payload: toScimPayload(settings) } as const;
  return await runChange(parts, call, async (change) => {
    await throwIfUnknown(change, settings, call);
    const columns = { owner_id: call.orgId, id, token_hash, ...toScimColumns(settings) };
    return { id, token, ...(await addObject(change, "scim_connections", columns, [event])) };
  });
}
