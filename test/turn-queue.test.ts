import { createTurnQueue, type Turn, type TurnQueue } from "../src/turn-queue.ts";
import { createRandom } from "./support/random.ts";

const call = (member: string): Turn => ({ group: "call", member });
const page = (member: string): Turn => ({ group: "page", member });

const NO_LIMITS = { total: 100, perGroup: 100, perMember: 100 };

interface Entry {
  readonly name: string;
}

function fill(queue: TurnQueue<Entry>, turn: Turn, count: number): boolean[] {
  const name = `${turn.group} of ${turn.member}`;
  return Array.from({ length: count }, (_, index) => queue.add(turn, { name: `${name}, ${index + 1}` }));
}

function takeAll(queue: TurnQueue<Entry>): string[] {
  const names: string[] = [];
  for (let taken = queue.take(); taken !== undefined; taken = queue.take()) names.push(taken.entry.name);
  return names;
}

test("organizations take turns, regardless of how many entries each has", () => {
  const queue = createTurnQueue<Entry>({ ...NO_LIMITS });
  fill(queue, call("a"), 4);
  fill(queue, call("b"), 1);
  fill(queue, call("c"), 2);
  const order = ["call of a, 1", "call of b, 1", "call of c, 1", "call of a, 2", "call of c, 2"];
  expect(takeAll(queue)).toEqual([...order, "call of a, 3", "call of a, 4"]);
});

test("calls and pages alternate, regardless of how many organizations call", () => {
  const queue = createTurnQueue<Entry>({ ...NO_LIMITS });
  fill(queue, call("a"), 1);
  fill(queue, call("b"), 1);
  fill(queue, call("c"), 1);
  fill(queue, page("a"), 2);
  const order = ["call of a, 1", "page of a, 1", "call of b, 1", "page of a, 2", "call of c, 1"];
  expect(takeAll(queue)).toEqual(order);
});

test("removing an entry frees its place, and its organization keeps its turn", () => {
  const queue = createTurnQueue<Entry>({ ...NO_LIMITS, total: 4, perMember: 2 });
  const gone = { name: "gone" };
  expect(queue.add(call("a"), gone)).toBe(true);
  expect(fill(queue, call("a"), 2)).toEqual([true, false]);
  fill(queue, call("b"), 1);
  queue.remove(call("a"), gone);
  queue.remove(call("a"), gone);
  expect(queue.add(call("a"), { name: "later" })).toBe(true);
  expect(takeAll(queue)).toEqual(["call of a, 1", "call of b, 1", "later"]);
});

test("removing an entry that was taken or never added frees no place", () => {
  const queue = createTurnQueue<Entry>({ ...NO_LIMITS, total: 2, perMember: 2 });
  const taken = { name: "taken" };
  queue.add(call("a"), taken);
  expect(queue.take()?.entry).toBe(taken);
  queue.remove(call("a"), taken);
  queue.remove(call("b"), { name: "unknown" });
  expect(fill(queue, call("a"), 3)).toEqual([true, true, false]);
});

test("a member gets as much as the others, regardless of what one of its entries costs", () => {
  const queue = createTurnQueue<Entry>(NO_LIMITS);
  fill(queue, page("costly"), 10);
  fill(queue, page("cheap"), 30);
  const served: string[] = [];
  for (let count = 0; count < 22; count++) {
    const taken = queue.take();
    served.push(taken?.entry.name.split(" ")[2]?.slice(0, -1) ?? "");
    taken?.end(taken.entry.name.includes("costly") ? 100 : 10);
  }
  expect(served.join(" ")).toBe(`costly${" cheap".repeat(10)} costly${" cheap".repeat(10)}`);
});

test("an entry that is being served counts with the last cost of its member", () => {
  const queue = createTurnQueue<Entry>(NO_LIMITS);
  fill(queue, page("costly"), 1);
  queue.take()?.end(100);
  fill(queue, page("cheap"), 3);
  fill(queue, page("costly"), 3);
  // Nothing was known about the costs while nothing was waiting.
  const [first, second] = [queue.take(), queue.take()];
  expect([first, second].map((taken) => taken?.entry.name)).toEqual(["page of cheap, 1", "page of costly, 1"]);
  first?.end(10);
  second?.end(100);
  // The third entry runs while the fourth is taken.
  expect(takeAll(queue)).toEqual(["page of cheap, 2", "page of cheap, 3", "page of costly, 2", "page of costly, 3"]);
});

test("groups get equal shares of the costs, too", () => {
  const queue = createTurnQueue<Entry>(NO_LIMITS);
  fill(queue, page("a"), 2);
  fill(queue, call("a"), 4);
  const served: string[] = [];
  for (let taken = queue.take(); taken !== undefined; taken = queue.take()) {
    served.push(taken.entry.name);
    taken.end(taken.entry.name.startsWith("page") ? 30 : 10);
  }
  expect(served).toEqual([
    "page of a, 1",
    "call of a, 1",
    "call of a, 2",
    "call of a, 3",
    "page of a, 2",
    "call of a, 4",
  ]);
});

test("a member that returns gets its share from then on, and nothing for the time before", () => {
  const queue = createTurnQueue<Entry>(NO_LIMITS);
  fill(queue, page("early"), 12);
  for (let count = 0; count < 6; count++) queue.take()?.end(10);
  fill(queue, page("late"), 4);
  const order: string[] = [];
  for (let count = 0; count < 6; count++) {
    const taken = queue.take();
    order.push(taken?.entry.name.split(" ")[2]?.slice(0, -1) ?? "");
    taken?.end(10);
  }
  expect(order.join(" ")).toBe("late early late early late early");
});

test("an entry that may not start is passed over, and keeps its turn", () => {
  const queue = createTurnQueue<Entry>(NO_LIMITS);
  fill(queue, page("large"), 2);
  fill(queue, page("small"), 2);
  const isSmall = ({ name }: Entry) => name.includes("small");
  expect(queue.take(isSmall)?.entry.name).toBe("page of small, 1");
  expect(queue.take()?.entry.name).toBe("page of large, 1");
  expect(queue.take(isSmall)?.entry.name).toBe("page of small, 2");
  expect(queue.take(isSmall)).toBeUndefined();
  expect(queue.size()).toBe(1);
});

test.each([
  ["members", page],
  ["groups", (name: string): Turn => ({ group: name, member: name })],
])("an endless sequence of new %s does not keep another from its turn", (_what, toTurn) => {
  const queue = createTurnQueue<Entry>(NO_LIMITS);
  queue.add(toTurn("early"), { name: "early 1" });
  queue.add(toTurn("early"), { name: "early 2" });
  const order: string[] = [];
  for (let count = 0; count < 1_000; count++) {
    queue.add(toTurn(`new ${count}`), { name: `new ${count}` });
    const taken = queue.take();
    order.push(taken?.entry.name ?? "");
    taken?.end(1);
  }
  expect(order[0]).toBe("early 1");
  expect(order.slice(0, 110)).toContain("early 2");
});

test("the members of a group share its limit", () => {
  const queue = createTurnQueue<Entry>({ ...NO_LIMITS, perGroup: 3, perMember: 2 });
  expect([...fill(queue, page("a"), 3), ...fill(queue, page("b"), 2)]).toEqual([true, true, false, true, false]);
  expect(fill(queue, call("a"), 1)).toEqual([true]);
});

describe("with random arrivals", () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
    "the queue stays within its limits and is fair (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const limits = {
        total: random.between(1, 60),
        perGroup: random.between(1, 60),
        perMember: random.between(1, 20),
      };
      const queue = createTurnQueue<Entry>(limits);
      const orgs = Array.from({ length: random.between(1, 8) }, (_, index) => `org ${index}`);
      // A greedy organization makes half of the arrivals.
      const pickTurn = (): Turn => {
        const member = random.chance(0.5) ? "org 0" : random.pick(orgs);
        return { group: random.pick(["call", "page"] as const), member };
      };
      const model = new Map<string, Waiting>();
      const gone = new Set<Entry>();
      let count = 0;

      for (let step = 0; step < 2_000; step++) {
        const action = random.below(10);
        if (action < 5) arrive(pickTurn());
        else if (action < 9) takeOne();
        else leave();
      }
      while (takeOne());
      expect([...model.values()].flatMap(({ entries }) => entries)).toEqual([]);

      function arrive(turn: Turn): void {
        const key = `${turn.group} ${turn.member}`;
        const waiting: Waiting = model.get(key) ?? { turn, entries: [], overtakenBy: new Map(), otherKind: 0 };
        const total = [...model.values()].reduce((sum, { entries }) => sum + entries.length, 0);
        const ofGroup = [...model.values()].filter((other) => other.turn.group === turn.group);
        const inGroup = ofGroup.reduce((sum, { entries }) => sum + entries.length, 0);
        const fits = total < limits.total && inGroup < limits.perGroup && waiting.entries.length < limits.perMember;
        const entry = { name: `${++count}` };
        expect(queue.add(turn, entry)).toBe(fits);
        if (!fits) return;
        if (waiting.entries.length === 0) startRound(waiting);
        waiting.entries.push(entry);
        model.set(key, waiting);
      }

      /** The oldest entry of its turn is taken, and no turn has been overtaken by another more than once. */
      function takeOne(): boolean {
        const entry = queue.take()?.entry;
        const served = [...model.values()].find(({ entries }) => entry !== undefined && entries[0] === entry);
        const waiting = [...model.values()].filter(({ entries }) => entries.length > 0);
        if (served === undefined || entry === undefined) {
          expect([entry, waiting]).toEqual([undefined, []]);
          return false;
        }
        expect(gone.has(entry)).toBe(false);
        served.entries.shift();
        startRound(served);
        for (const other of waiting) {
          if (other === served) continue;
          if (other.turn.group === served.turn.group) {
            const times = (other.overtakenBy.get(served.turn.member) ?? 0) + 1;
            other.overtakenBy.set(served.turn.member, times);
            if (times !== 1) throw new Error(`an organization was overtaken ${times} times by the same one`);
          } else {
            other.otherKind++;
          }
          if (other.otherKind > other.overtakenBy.size + 1) throw new Error("calls and pages did not alternate");
        }
        return true;
      }

      function leave(): void {
        const waiting = [...model.values()].filter(({ entries }) => entries.length > 0);
        if (waiting.length === 0) return;
        const { turn, entries } = random.pick(waiting);
        const [entry] = entries.splice(random.below(entries.length), 1);
        if (entry === undefined) return;
        gone.add(entry);
        queue.remove(turn, entry);
      }
    },
  );
});

/** The model's state of a turn. */
interface Waiting {
  readonly turn: Turn;
  readonly entries: Entry[];
  /** How often each organization of the same kind was served since this turn started to wait for its next entry. */
  readonly overtakenBy: Map<string, number>;
  /** How many entries of the other kind were served since then. */
  otherKind: number;
}

function startRound(waiting: Waiting): void {
  waiting.overtakenBy.clear();
  waiting.otherKind = 0;
}

test("on request, the newest entry of a turn is served first", () => {
  const queue = createTurnQueue<Entry>({ ...NO_LIMITS });
  fill(queue, call("a"), 3);
  fill(queue, call("b"), 2);
  const names: (string | undefined)[] = [];
  for (let count = 0; count < 3; count++) names.push(queue.take(undefined, "newest-first")?.entry.name);
  expect(names).toEqual(["call of a, 3", "call of b, 2", "call of a, 2"]);
  expect(takeAll(queue)).toEqual(["call of b, 1", "call of a, 1"]);
});
