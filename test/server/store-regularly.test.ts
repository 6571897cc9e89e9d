import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { storeRegularly } from "../../src/server/store-regularly.ts";

test("counts are stored by one statement at a time, also what is left when the service stops", async () => {
  const began = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  let running = 0;
  const atOnce: number[] = [];
  const store = async () => {
    atOnce.push(++running);
    began.resolve();
    await slow.promise;
    running--;
  };
  const counts = storeRegularly({ what: "counts", intervalMs: 1, store }, pino({ level: "silent" }));
  counts.start();
  await began.promise;
  const stopped = counts.stop();
  await setImmediate();
  slow.resolve();
  await stopped;
  expect(atOnce).toEqual([1, 1]);
});
