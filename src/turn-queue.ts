/** The share that an entry belongs to: a group, and a member of it. Groups take turns, and so do the members of each. */
export interface Turn {
  readonly group: string;
  readonly member: string;
}

/** The maximum number of waiting entries. */
interface QueueLimits {
  readonly total: number;
  readonly perGroup: number;
  readonly perMember: number;
}

/** Which entry of a turn is served first. */
type TurnOrder = "oldest-first" | "newest-first";

/** An entry that has left the queue to be served. */
interface Taken<Entry> {
  readonly entry: Entry;
  /** Call it once, after the entry was served, with what this has cost, in any unit. */
  end(cost: number): void;
}

/** A bounded queue that is fair between groups, and between the members of each group. */
export interface TurnQueue<Entry extends object> {
  /** Adds an entry, or returns false when a limit is reached. */
  add(turn: Turn, entry: Entry): boolean;
  /**
   * Removes and returns the next entry.
   *
   * @param mayStart A turn for whose next entry it returns false is passed over.
   * @param order Of the entries of one turn: first in, first out by default.
   */
  take(mayStart?: (entry: Entry) => boolean, order?: TurnOrder): Taken<Entry> | undefined;
  /** Removes a waiting entry. Returns false if the entry is not in the queue. */
  remove(turn: Turn, entry: Entry): boolean;
  size(): number;
}

/**
 * Creates a queue that serves the group that has cost the least, and in it the member that has cost the least. With
 * equal costs, this is round robin. Entries with the same turn are first in, first out, unless `take` asks for the newest.
 *
 * Until an entry has been served, it counts with the cost of its member's last one. A group or member that was not
 * waiting starts with the cost of the last one served, at least: it gets its share from now on, but nothing for the
 * time in which it used less (start-time fair queuing).
 */
export function createTurnQueue<Entry extends object>(limits: QueueLimits): TurnQueue<Entry> {
  const groups = createShares<Group<Entry>>();
  let size = 0;
  let running = 0;

  function removeEntry({ turn, group, member, entry }: Next<Entry>): void {
    member.entries.delete(entry);
    group.size--;
    size--;
    if (member.entries.size === 0) rest(group.members, turn.member, member);
    if (group.size === 0) rest(groups, turn.group, group);
  }

  /** Resets the costs of members, and of groups, when none of them has entries, because there is nothing to share. */
  function forgetCosts(group: Group<Entry>): void {
    if (group.size === 0 && group.running === 0) reset(group.members);
    if (size === 0 && running === 0) reset(groups);
  }

  return {
    size: () => size,
    add(turn, entry) {
      const waiting = groups.waiting.get(turn.group);
      const ofMember = waiting?.members.waiting.get(turn.member)?.entries.size ?? 0;
      if (size >= limits.total || ofMember >= limits.perMember) return false;
      if (waiting !== undefined && waiting.size >= limits.perGroup) return false;
      const group = open(groups, turn.group, createGroup<Entry>);
      open(group.members, turn.member, createMember<Entry>).entries.add(entry);
      group.size++;
      size++;
      return true;
    },
    take(mayStart = () => true, order = "oldest-first") {
      const next = findNext(groups, mayStart, order);
      if (next === undefined) return undefined;
      const { turn, group, member, entry } = next;
      const expected = member.usualCost;
      serve(groups, turn.group, group, expected);
      serve(group.members, turn.member, member, expected);
      removeEntry(next);
      group.running++;
      running++;
      return {
        entry,
        end(cost) {
          group.running--;
          running--;
          group.cost += cost - expected;
          member.cost += cost - expected;
          member.usualCost = cost;
          forgetCosts(group);
        },
      };
    },
    remove(turn, entry) {
      const group = groups.waiting.get(turn.group);
      const member = group?.members.waiting.get(turn.member);
      if (group === undefined || !member?.entries.has(entry)) return false;
      removeEntry({ turn, group, member, entry });
      forgetCosts(group);
      return true;
    },
  };
}

interface Share {
  /** What its entries have cost, from an arbitrary start. */
  cost: number;
}

/** Shares that take turns. */
interface Shares<Kind extends Share> {
  /** Those with entries. Those with equal costs are in the order of their turns. */
  readonly waiting: Map<string, Kind>;
  /** The others, the longest resting first. */
  readonly resting: Map<string, Kind>;
  /** The least cost that a share has when it starts to wait. */
  startCost: number;
}

interface Group<Entry> extends Share {
  /** The number of entries. */
  size: number;
  /** The number of entries that are being served. */
  running: number;
  readonly members: Shares<Member<Entry>>;
}

interface Member<Entry> extends Share {
  readonly entries: Set<Entry>;
  usualCost: number;
}

interface Next<Entry> {
  readonly turn: Turn;
  readonly group: Group<Entry>;
  readonly member: Member<Entry>;
  readonly entry: Entry;
}

/** Bounds the memory. Anyone can use many networks. */
const MAX_RESTING = 100;

function createShares<Kind extends Share>(): Shares<Kind> {
  return { waiting: new Map(), resting: new Map(), startCost: 0 };
}

function createGroup<Entry>(): Group<Entry> {
  return { cost: 0, size: 0, running: 0, members: createShares() };
}

function createMember<Entry>(): Member<Entry> {
  return { cost: 0, usualCost: 0, entries: new Set() };
}

/** The waiting share of a name. */
function open<Kind extends Share>(shares: Shares<Kind>, name: string, create: () => Kind): Kind {
  const { waiting, resting, startCost } = shares;
  const found = waiting.get(name);
  if (found !== undefined) return found;
  const share = resting.get(name) ?? create();
  share.cost = Math.max(share.cost, startCost);
  resting.delete(name);
  waiting.set(name, share);
  return share;
}

/** Adds the expected cost, and moves the share behind others with the same cost. */
function serve<Kind extends Share>(shares: Shares<Kind>, name: string, share: Kind, expected: number): void {
  shares.startCost = Math.max(shares.startCost, share.cost);
  share.cost += expected;
  shares.waiting.delete(name);
  shares.waiting.set(name, share);
}

/** A share that is forgotten gains nothing by it, because others then start with its cost. */
function rest<Kind extends Share>(shares: Shares<Kind>, name: string, share: Kind): void {
  const { waiting, resting } = shares;
  waiting.delete(name);
  resting.set(name, share);
  if (resting.size <= MAX_RESTING) return;
  const [[forgottenName, forgotten] = [name, share]] = resting;
  shares.startCost = Math.max(shares.startCost, forgotten.cost);
  resting.delete(forgottenName);
}

function reset<Kind extends Share>(shares: Shares<Kind>): void {
  shares.resting.clear();
  shares.startCost = 0;
}

function findNext<Entry>(groups: Shares<Group<Entry>>, mayStart: (entry: Entry) => boolean, order: TurnOrder) {
  let next: Next<Entry> | undefined;
  for (const [groupName, group] of groups.waiting) {
    if (next !== undefined && group.cost >= next.group.cost) continue;
    let found: Next<Entry> | undefined;
    for (const [memberName, member] of group.members.waiting) {
      if (found !== undefined && member.cost >= found.member.cost) continue;
      const [entry] = order === "oldest-first" ? member.entries : [...member.entries].reverse();
      if (entry === undefined || !mayStart(entry)) continue;
      found = { turn: { group: groupName, member: memberName }, group, member, entry };
    }
    next = found ?? next;
  }
  return next;
}
