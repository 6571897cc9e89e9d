import type { User } from "../../../gen/signet/v1/user_pb.js";
import { inOrg } from "../in-org.ts";
import type { MovingApi } from "../moving-api.ts";
import { callPatiently, createPatience, isFailure, type Patience, readPatiently, Stopped } from "./call-patiently.ts";
import { createSlots } from "./slots.ts";

/** Users whom a run has imported, of one organization: at most `AT_ONCE`. */
export interface ImportedUsers {
  readonly orgId: string;
  readonly ids: readonly string[];
}

/** Users in one search; see `InUserIDQuery`. */
export const AT_ONCE = 100;

interface UndoUsersParts {
  readonly api: MovingApi;
  /** The most calls at once. */
  readonly concurrency: number;
  readonly stopped: AbortSignal;
  /** The users, which are read twice. */
  readonly imported: () => AsyncIterable<ImportedUsers> | Iterable<ImportedUsers>;
}

/**
 * Counts the users, those who still exist, and those who have signed in.
 *
 * @throws Stopped.
 */
export async function countImported({ api, concurrency, stopped, imported }: UndoUsersParts) {
  const patience = createPatience(concurrency, stopped);
  const counts = { imported: 0, existing: 0, signedIn: 0 };
  for await (const { orgId, ids } of imported()) {
    const users = await findUsers(api, patience, orgId, ids);
    counts.imported += ids.length;
    counts.existing += users.length;
    counts.signedIn += users.filter(hasSignedIn).length;
  }
  return counts;
}

interface RemovedUsers {
  readonly removed: number;
  readonly kept: number;
  readonly refused: readonly { readonly userId: string; readonly message: string }[];
}

/**
 * Removes the users. Ends early if it is stopped.
 *
 * @param options.keepsSignedIn Whether users who have signed in stay.
 */
export async function removeImported(
  { api, concurrency, stopped, imported }: UndoUsersParts,
  options: { readonly keepsSignedIn: boolean; readonly onProgress?: (removed: RemovedUsers) => void },
): Promise<RemovedUsers> {
  const patience = createPatience(concurrency, stopped);
  const slots = createSlots(concurrency);
  const result = { removed: 0, kept: 0, refused: [] as { userId: string; message: string }[] };
  try {
    for await (const { orgId, ids } of imported()) {
      for (const user of await findUsers(api, patience, orgId, ids)) {
        if (stopped.aborted) break;
        if (options.keepsSignedIn && hasSignedIn(user)) result.kept += 1;
        else await slots.start(() => remove(user.id, orgId));
      }
      await slots.idle();
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return result;

  async function remove(id: string, orgId: string): Promise<void> {
    try {
      const response = await callPatiently(patience, () => api.management.removeUser({ id }, inOrg(orgId)));
      if (!isFailure(response) || response.reason === "USER_NOT_FOUND") result.removed += 1;
      else result.refused.push({ userId: id, message: response.message });
      options.onProgress?.(result);
    } catch (error) {
      if (!(error instanceof Stopped)) result.refused.push({ userId: id, message: (error as Error).message });
    }
  }
}

/** Finds users by id, at most `AT_ONCE`. */
export async function findUsers(
  api: MovingApi,
  patience: Patience,
  orgId: string,
  ids: readonly string[],
): Promise<readonly User[]> {
  const queries = [{ query: { case: "inUserIdsQuery" as const, value: { userIds: [...ids] } } }];
  const { result } = await readPatiently(patience, () =>
    api.management.listUsers({ query: { limit: AT_ONCE }, queries }, inOrg(orgId)),
  );
  return result;
}

function hasSignedIn({ lastSignIn }: User): boolean {
  return lastSignIn !== undefined;
}
