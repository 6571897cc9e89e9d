import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { eventsToJson } from "../events/append-events.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import { prepareRemoval } from "../events/prepare-removal.ts";
import type { ChangeApiParts } from "./add-api.ts";
import { apiNotFound } from "./api-not-found.ts";

/**
 * Removes an API (docs/api.md). Applications get no tokens for it any more.
 *
 * @throws SignetError API_NOT_FOUND, or for a failure of the database.
 */
export async function removeApi(
  { db, clock }: ChangeApiParts,
  { id }: { readonly id: string },
  call: Call,
): Promise<Changed> {
  const values = {
    ownerId: call.orgId,
    aggregateId: id,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: "org.api.removed", payload: {} }]),
  };
  const [row] = isId(id) ? await deleteApi(db, values, call) : [];
  if (row === undefined) throw apiNotFound(id);
  return toChanged(row, call.orgId);
}

const deleteApi = prepareRemoval("apis");
