import { createStop } from "../../src/server/stop.ts";

/** The promises of `names` that have settled after an event loop iteration. */
async function settled(promises: Readonly<Record<string, Promise<unknown>>>): Promise<string[]> {
  const done: string[] = [];
  for (const [name, promise] of Object.entries(promises)) promise.then(() => done.push(name));
  await new Promise((resolve) => setImmediate(resolve));
  return done;
}

test("without a delay, a stop is due as soon as it is requested", async () => {
  const { requested, due, request, hurry } = createStop(0);
  expect(await settled({ requested, due })).toEqual([]);
  request("SIGTERM");
  expect(await requested).toBe("SIGTERM");
  expect(await settled({ requested, due })).toEqual(["requested", "due"]);
  expect(hurry()).toBe(false);
});

test("with a delay, a stop is due when the delay has passed", async () => {
  const { due, request, hurry } = createStop(1);
  request("SIGTERM");
  // The delay must not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  await due;
  clearInterval(alive);
  expect(hurry()).toBe(false);
});

test("a second request does not restart the delay, and `hurry` ends it", async () => {
  const { requested, due, request, hurry } = createStop(3_600_000);
  request("SIGTERM");
  request("stopped by the primary");
  expect(await requested).toBe("SIGTERM");
  expect(await settled({ requested, due })).toEqual(["requested"]);
  expect(hurry()).toBe(true);
  expect(await settled({ requested, due })).toEqual(["requested", "due"]);
  expect(hurry()).toBe(false);
});
