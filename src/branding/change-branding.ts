import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { createId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import type { Write } from "../database/prepare-write.ts";
import { type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import { retryWhenChanged } from "../events/retry-when-changed.ts";
import type { Owner } from "../owner.ts";
import type { ChangedBranding } from "./prepare-branding-change.ts";

export interface ChangeBrandingParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** Who changes a branding. */
export type BrandingCall = Call<Principal | Operator>;

/**
 * Runs a statement of `prepareBrandingChange`.
 *
 * @returns The details of the last event, also if nothing was changed.
 * @throws The error of `refuse` if the branding cannot be changed; SignetError ABORTED, or for a failure of the
 *   database.
 */
export async function changeBranding<Values extends object>(
  { db, clock }: ChangeBrandingParts,
  statement: Write<EventValues & Values, ChangedBranding>,
  change: { readonly owner: Owner; readonly event: NewEvent; readonly values: Values; readonly refuse: () => Error },
  call: BrandingCall,
): Promise<Changed> {
  const { owner, event, values, refuse } = change;
  return await retryWhenChanged(async () => {
    const common = {
      ownerId: owner.id,
      aggregateId: createId(),
      editorId: call.userId,
      now: clock(),
      events: eventsToJson([event]),
    };
    const [row] = await statement(db, { ...values, ...common }, call);
    if (row === undefined || row.outcome === "stale") return undefined;
    if (row.outcome === "refused") throw refuse();
    return toChanged(row, owner.id);
  });
}
