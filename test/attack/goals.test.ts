import type { CallerFigures } from "./caller.ts";
import { missedGoals } from "./goals.ts";

const CALM: CallerFigures = { calls: 200, failed: 0, firstFailure: undefined, p50: 5, p99: 40, max: 60 };
const HELD = {
  before: CALM,
  during: CALM,
  after: CALM,
  newConnections: undefined,
  memory: { before: 100e6, peak: 500e6, after: 120e6 },
  backAfter: 3,
  cpu: { attacker: 40, server: 40, machine: 90 },
  isAlive: true,
  isHealthy: true,
};
const SATURATED = { attacker: 50, server: 50, machine: 100 };

test("a harmless attack misses no goal", () => {
  expect(missedGoals(HELD)).toEqual([]);
});

test.each([
  ["a server that ended", { isAlive: false }, "a process of the server ended"],
  ["a server that hangs", { isHealthy: false }, "/healthz is silent"],
  [
    "one failure of the caller",
    { after: { ...CALM, failed: 1, firstFailure: "REST 503" } },
    "1 calls failed after the attack (REST 503)",
  ],
  ["a caller that made no calls", { during: { ...CALM, calls: 0 } }, "no call was made during the attack"],
  ["a slow server", { during: { ...CALM, p99: 251 } }, "p99 of 251 ms, at most 250"],
  ["a slow server on busy cores", { during: { ...CALM, p99: 501 }, cpu: SATURATED }, "p99 of 501 ms, at most 500"],
  [
    "a failure on a new connection",
    { newConnections: { ...CALM, failed: 2, firstFailure: "REST closed" } },
    "2 calls on new connections failed during the attack (REST closed)",
  ],
  ["a slow new connection", { newConnections: { ...CALM, p99: 501 } }, "p99 on new connections of 501 ms, at most 500"],
  [
    "memory that does not come back",
    { memory: { before: 100e6, peak: 500e6, after: 121e6 } },
    "memory at 1.21 of before, at most 1.2",
  ],
])("%s is noted", (_what, change, expected) => {
  expect(missedGoals({ ...HELD, ...change })).toEqual([expected]);
});

test("the caller may take twice as long if the attack leaves no core idle", () => {
  expect(missedGoals({ ...HELD, during: { ...CALM, p99: 400 }, cpu: SATURATED })).toEqual([]);
});
