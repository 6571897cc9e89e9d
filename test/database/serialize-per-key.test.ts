import { createSerializePerKey } from "../../src/database/serialize-per-key.ts";

/** Lets every settled promise run its handlers. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("calls with one key run one after another, and each gets its own result", async () => {
  const serialize = createSerializePerKey();
  const started: number[] = [];
  const gates = [1, 2, 3].map(() => Promise.withResolvers<string>());
  const results = gates.map(({ promise }, number) =>
    serialize("key", () => {
      started.push(number);
      return promise;
    }),
  );
  for (const [number, { resolve }] of gates.entries()) {
    await settle();
    expect(started).toEqual([0, 1, 2].slice(0, number + 1));
    resolve(`result ${number}`);
  }
  expect(await Promise.all(results)).toEqual(["result 0", "result 1", "result 2"]);
});

test("calls with different keys run at the same time", async () => {
  const serialize = createSerializePerKey();
  const gate = Promise.withResolvers<void>();
  const waiting = serialize("one", () => gate.promise);
  expect(await serialize("other", async () => "done")).toBe("done");
  gate.resolve();
  await waiting;
});

test("a call that fails rejects alone, and the next one runs", async () => {
  const serialize = createSerializePerKey();
  const failing = serialize("key", () => Promise.reject(new Error("broken")));
  const next = serialize("key", async () => "done");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
});

test("a call learns whether it has waited for another one", async () => {
  const serialize = createSerializePerKey();
  const hasWaited = async (waited: boolean) => waited;
  expect(await Promise.all([serialize("key", hasWaited), serialize("key", hasWaited)])).toEqual([false, true]);
  expect(await serialize("key", hasWaited)).toBe(false);
});
