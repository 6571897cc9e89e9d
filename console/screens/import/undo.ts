import type { MovingApi } from "../../../src/moving/moving-api.ts";
import type { Outcome } from "../../../src/moving/report/outcome.ts";
import {
  countImported,
  AT_ONCE as GROUP,
  type ImportedUsers,
  type RemovedUsers,
  removeImported,
} from "../../../src/moving/running/undo-users.ts";
import type { Api } from "../../api/api.ts";
import { AT_ONCE } from "./limits.ts";

export interface Undo {
  /** Counts the users, those who still exist, and those who have signed in since. */
  count(): ReturnType<typeof countImported>;
  /** @param keepsSignedIn Whether users who have signed in stay. */
  remove(keepsSignedIn: boolean, onProgress: (removed: RemovedUsers) => void): Promise<RemovedUsers>;
}

/** Removes the users whom an import has made. */
export function createUndo(api: Api, orgId: string, outcomes: readonly Outcome[]): Undo {
  const stopped = new AbortController().signal;
  const moving: MovingApi = { admin: api.admin, management: api.management, isServer: true };
  const users = { api: moving, concurrency: AT_ONCE, stopped, imported: () => groupsOf(orgId, outcomes) };
  return {
    count: () => countImported(users),
    remove: (keepsSignedIn, onProgress) => removeImported(users, { keepsSignedIn, onProgress }),
  };
}

function* groupsOf(orgId: string, outcomes: readonly Outcome[]): Generator<ImportedUsers> {
  const ids = outcomes.flatMap((each) => (each.outcome === "imported" ? [each.userId] : []));
  for (let at = 0; at < ids.length; at += GROUP) yield { orgId, ids: ids.slice(at, at + GROUP) };
}
