import { createPace, type Pace } from "../../src/moving/running/pace.ts";

/** Makes calls that succeed, one after the other. */
function succeed(pace: Pace, calls: number): void {
  for (let n = 0; n < calls; n += 1) {
    void pace.enter();
    pace.leave("done");
  }
}

test("the limit grows by one in each successful round, up to the most", () => {
  const pace = createPace(6);
  expect(pace.limit).toBe(4);
  succeed(pace, 4);
  expect(pace.limit).toBe(5);
  succeed(pace, 100);
  expect(pace.limit).toBe(6);
});

test("refusals of one round halve the limit once, and it never falls below one", () => {
  const pace = createPace(64);
  succeed(pace, 500);
  const before = pace.limit;
  expect(before).toBeGreaterThan(16);
  for (let n = 0; n < before; n += 1) void pace.enter();
  for (let n = 0; n < before; n += 1) pace.leave("slow down");
  expect(pace.limit).toBe(Math.floor(before / 2));
  for (let n = 0; n < 20; n += 1) {
    void pace.enter();
    pace.leave("slow down");
  }
  expect(pace.limit).toBe(1);
});

test("calls wait for room, in order", async () => {
  const pace = createPace(1);
  const started: number[] = [];
  for (const n of [1, 2, 3]) void pace.enter().then(() => started.push(n));
  await Promise.resolve();
  expect(started).toEqual([1]);
  pace.leave("neither");
  await Promise.resolve();
  expect(started).toEqual([1, 2]);
});
