import type { Outcome } from "../../../src/moving/report/outcome.ts";
import type { UpdateLine } from "../../../src/moving/report/update-journal.ts";
import { createPatience } from "../../../src/moving/running/call-patiently.ts";
import { undoUpdates } from "../../../src/moving/running/undo-updates.ts";
import {
  countImported,
  AT_ONCE as GROUP,
  type ImportedUsers,
  removeImported,
} from "../../../src/moving/running/undo-users.ts";
import { type Api, toMovingApi } from "../../api/api.ts";
import { AT_ONCE } from "./limits.ts";

/** What an undo has done, or has done so far. */
export interface Undone {
  readonly removed: number;
  readonly kept: number;
  /** Users who have their earlier values again. */
  readonly restored: number;
  /** Values that somebody has changed since, and that stay. */
  readonly changedSince: number;
  /** Users who could not be removed, or whose values could not be changed. */
  readonly refused: readonly unknown[];
}

/** The files of an import, or the refused records of an earlier round after a change. */
export interface Round {
  /** That of its calls. */
  readonly key: string;
  /** What it has changed. */
  readonly updates: readonly UpdateLine[];
}

interface UndoParts {
  readonly orgId: string;
  readonly outcomes: readonly Outcome[];
  readonly rounds: readonly Round[];
}

/** Removes the users whom an import has made, and gives those whom it has changed their earlier values back. */
export function createUndo(api: Api, { orgId, outcomes, rounds }: UndoParts) {
  const stopped = new AbortController().signal;
  const shared = { api: toMovingApi(api), concurrency: AT_ONCE, stopped };
  const users = { ...shared, imported: () => groupsOf(orgId, outcomes) };
  return {
    /** Counts the users, those who still exist or have signed in since, and those whom the import has changed. */
    async count() {
      const changed = rounds.map(({ updates }) => new Set(updates.map(({ n }) => n)).size);
      return { ...(await countImported(users)), updated: changed.reduce((sum, count) => sum + count, 0) };
    },
    /** @param keepsSignedIn Whether users who have signed in stay. */
    async undo(keepsSignedIn: boolean, onProgress: (done: number) => void): Promise<Undone> {
      const removed = await removeImported(users, { keepsSignedIn, onProgress: (each) => onProgress(each.removed) });
      const patience = createPatience(AT_ONCE, stopped);
      const undone = { ...removed, restored: 0, changedSince: 0, refused: [...removed.refused] as unknown[] };
      // The last change is undone first.
      for (const { key, updates } of rounds.toReversed()) {
        const done = removed.removed + undone.restored;
        const parts = { ...shared, patience, key: `${key} undo` };
        const restored = await undoUpdates(parts, updates, (count) => onProgress(done + count));
        undone.restored += restored.restored;
        undone.changedSince += restored.changedSince;
        undone.refused.push(...restored.refused);
      }
      return undone;
    },
  };
}

function* groupsOf(orgId: string, outcomes: readonly Outcome[]): Generator<ImportedUsers> {
  const ids = outcomes.flatMap((each) => (each.outcome === "imported" ? [each.userId] : []));
  for (let at = 0; at < ids.length; at += GROUP) yield { orgId, ids: ids.slice(at, at + GROUP) };
}
