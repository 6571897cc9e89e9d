/** The share of the threads that a hash belongs to: calls or pages, and the organization. */
export interface Turn {
  readonly kind: "call" | "page";
  readonly orgId: string;
}

/** The maximum number of waiting entries, in total and per turn. */
export interface QueueLimits {
  readonly total: number;
  readonly perTurn: number;
}

/** A bounded queue that is fair between turns. Every operation takes constant time. */
export interface TurnQueue<Entry extends object> {
  /** Adds an entry, or returns false when the limit for its turn or for the whole queue is reached. */
  add(turn: Turn, entry: Entry): boolean;
  /** Removes and returns the next entry. */
  take(): Entry | undefined;
  /** Removes a waiting entry. Does nothing if the entry is not in the queue. */
  remove(turn: Turn, entry: Entry): void;
  size(): number;
}

/**
 * Creates a queue that alternates between calls and pages, and serves the organizations of each round robin. Entries
 * with the same turn are first in, first out.
 *
 * An organization's first entry therefore waits for at most one entry of each other organization of its kind, and the
 * same number of entries of the other kind, plus one.
 */
export function createTurnQueue<Entry extends object>({ total, perTurn }: QueueLimits): TurnQueue<Entry> {
  // Maps and sets iterate in insertion order: the first key is next, and deleting and re-adding a key moves it to the
  // end. They contain no empty turns.
  const kinds = new Map<Turn["kind"], Map<string, Set<Entry>>>();
  let size = 0;

  return {
    size: () => size,
    add({ kind, orgId }, entry) {
      const orgs = kinds.get(kind) ?? new Map<string, Set<Entry>>();
      const entries = orgs.get(orgId) ?? new Set<Entry>();
      if (size >= total || entries.size >= perTurn) return false;
      size++;
      kinds.set(kind, orgs.set(orgId, entries.add(entry)));
      return true;
    },
    take() {
      const [[kind, orgs] = []] = kinds;
      const [[orgId, entries] = []] = orgs ?? [];
      const [entry] = entries ?? [];
      if (!kind || !orgs || orgId === undefined || !entries || entry === undefined) return undefined;
      size--;
      entries.delete(entry);
      orgs.delete(orgId);
      if (entries.size > 0) orgs.set(orgId, entries);
      kinds.delete(kind);
      if (orgs.size > 0) kinds.set(kind, orgs);
      return entry;
    },
    remove({ kind, orgId }, entry) {
      const orgs = kinds.get(kind);
      const entries = orgs?.get(orgId);
      if (!orgs || !entries?.delete(entry)) return;
      size--;
      if (entries.size === 0) orgs.delete(orgId);
      if (orgs.size === 0) kinds.delete(kind);
    },
  };
}
