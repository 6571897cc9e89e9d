import { inOrg } from "../in-org.ts";
import type { UpdateLine } from "../report/update-journal.ts";
import { type ApplyParts, applyChanges } from "./apply-changes.ts";
import { callPatiently, isFailure, Stopped } from "./call-patiently.ts";
import { createSlots } from "./slots.ts";
import { createMetadataReader, type FieldChange, readStoredValues } from "./stored-values.ts";
import { isSameValue } from "./value-text.ts";

interface RestoredUsers {
  /** Users with values that are again what they were before. */
  readonly restored: number;
  /** Values that somebody has changed since, and that stay. */
  readonly changedSince: number;
  readonly refused: readonly { readonly userId: string; readonly message: string }[];
}

interface UndoUpdatesParts extends Omit<ApplyParts, "sendsMessages"> {
  readonly concurrency: number;
  readonly stopped: AbortSignal;
}

/**
 * Gives users the values back that a run has changed, unless they were changed again since. Ends early if it is stopped.
 *
 * @param onProgress Gets the number of users who have their values again.
 */
export async function undoUpdates(
  parts: UndoUpdatesParts,
  lines: AsyncIterable<UpdateLine> | Iterable<UpdateLine>,
  onProgress?: (restored: number) => void,
): Promise<RestoredUsers> {
  const { api, patience, stopped } = parts;
  const slots = createSlots(parts.concurrency);
  const result = { restored: 0, changedSince: 0, refused: [] as { userId: string; message: string }[] };
  for await (const line of lines) {
    if (stopped.aborted) break;
    await slots.start(() => restore(line));
  }
  await slots.idle();
  return result;

  async function restore({ userId, orgId, changes }: UpdateLine): Promise<void> {
    try {
      const options = inOrg(orgId);
      const found = await callPatiently(patience, async () => {
        const { user } = await api.management.getUserByID({ id: userId }, options);
        if (user === undefined) throw new Error("the response has no user");
        const fields = changes.map(({ field }) => field);
        return { user, stored: await readStoredValues(user, fields, createMetadataReader(api, userId, options)) };
      });
      if (isFailure(found)) {
        if (found.reason !== "USER_NOT_FOUND") result.refused.push({ userId, message: found.message });
        return;
      }
      const undone = changes.flatMap((change) => reverse(change, found.stored));
      result.changedSince += changes.filter(({ field, to, from }) => {
        const now = found.stored(field);
        return !isSameValue(now, to) && !isSameValue(now, from);
      }).length;
      if (undone.length === 0) return;
      const failure = await applyChanges({ ...parts, sendsMessages: false }, found.user, orgId, undone, true);
      if (failure === undefined) result.restored += 1;
      else result.refused.push({ userId, message: failure.message });
      onProgress?.(result.restored);
    } catch (error) {
      if (!(error instanceof Stopped)) result.refused.push({ userId, message: (error as Error).message });
    }
  }
}

/** A verified address or number stays verified. */
function reverse({ field, from, to }: FieldChange, stored: (field: string) => FieldChange["to"]): FieldChange[] {
  if (!isSameValue(stored(field), to)) return [];
  const isContact = typeof from === "object" && from !== null && typeof to === "object" && to !== null;
  return isContact && from.value === to.value ? [] : [{ field, from: to, to: from }];
}
