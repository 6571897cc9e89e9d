import { describe, expect, test } from "@jest/globals";
import { createTurnQueue, type Turn, type TurnQueue } from "../../src/passwords/turn-queue.ts";
import { createRandom } from "../support/random.ts";

const call = (orgId: string): Turn => ({ kind: "call", orgId });
const page = (orgId: string): Turn => ({ kind: "page", orgId });

interface Entry {
  readonly name: string;
}

function fill(queue: TurnQueue<Entry>, turn: Turn, count: number): boolean[] {
  const name = `${turn.kind} of ${turn.orgId}`;
  return Array.from({ length: count }, (_, index) => queue.add(turn, { name: `${name}, ${index + 1}` }));
}

function takeAll(queue: TurnQueue<Entry>): string[] {
  const names: string[] = [];
  for (let entry = queue.take(); entry !== undefined; entry = queue.take()) names.push(entry.name);
  return names;
}

test("organizations take turns, regardless of how many entries each has", () => {
  const queue = createTurnQueue<Entry>({ total: 100, perTurn: 50 });
  fill(queue, call("a"), 4);
  fill(queue, call("b"), 1);
  fill(queue, call("c"), 2);
  const order = ["call of a, 1", "call of b, 1", "call of c, 1", "call of a, 2", "call of c, 2"];
  expect(takeAll(queue)).toEqual([...order, "call of a, 3", "call of a, 4"]);
});

test("calls and pages alternate, regardless of how many organizations call", () => {
  const queue = createTurnQueue<Entry>({ total: 100, perTurn: 50 });
  fill(queue, call("a"), 1);
  fill(queue, call("b"), 1);
  fill(queue, call("c"), 1);
  fill(queue, page("a"), 2);
  const order = ["call of a, 1", "page of a, 1", "call of b, 1", "page of a, 2", "call of c, 1"];
  expect(takeAll(queue)).toEqual(order);
});

test("removing an entry frees its place, and its organization keeps its turn", () => {
  const queue = createTurnQueue<Entry>({ total: 4, perTurn: 2 });
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
  const queue = createTurnQueue<Entry>({ total: 2, perTurn: 2 });
  const taken = { name: "taken" };
  queue.add(call("a"), taken);
  expect(queue.take()).toBe(taken);
  queue.remove(call("a"), taken);
  queue.remove(call("b"), { name: "unknown" });
  expect(fill(queue, call("a"), 3)).toEqual([true, true, false]);
});

describe("with random arrivals", () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed + 1))(
    "the queue stays within its limits and is fair (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const limits = { total: random.between(1, 60), perTurn: random.between(1, 20) };
      const queue = createTurnQueue<Entry>(limits);
      const orgs = Array.from({ length: random.between(1, 8) }, (_, index) => `org ${index}`);
      // A greedy organization makes half of the arrivals.
      const pickTurn = (): Turn => {
        const orgId = random.chance(0.5) ? "org 0" : random.pick(orgs);
        return { kind: random.pick(["call", "page"] as const), orgId };
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
        const key = `${turn.kind} ${turn.orgId}`;
        const waiting: Waiting = model.get(key) ?? { turn, entries: [], overtakenBy: new Map(), otherKind: 0 };
        const total = [...model.values()].reduce((sum, { entries }) => sum + entries.length, 0);
        const fits = total < limits.total && waiting.entries.length < limits.perTurn;
        const entry = { name: `${++count}` };
        expect(queue.add(turn, entry)).toBe(fits);
        if (!fits) return;
        if (waiting.entries.length === 0) startRound(waiting);
        waiting.entries.push(entry);
        model.set(key, waiting);
      }

      /** The oldest entry of its turn is taken, and no turn has been overtaken by another more than once. */
      function takeOne(): boolean {
        const entry = queue.take();
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
          if (other.turn.kind === served.turn.kind) {
            const times = (other.overtakenBy.get(served.turn.orgId) ?? 0) + 1;
            other.overtakenBy.set(served.turn.orgId, times);
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
