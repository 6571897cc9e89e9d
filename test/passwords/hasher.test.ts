import { execFile } from "node:child_process";
import { getPriority } from "node:os";
import { promisify } from "node:util";
import { compare, getRounds, hashSync } from "bcryptjs";
import { createHasher, type HashTurn } from "../../src/passwords/hasher.ts";
import { describeHashProblem } from "../../src/passwords/modular-crypt-format.ts";

const call = (orgId: string): { turn: HashTurn } => ({ turn: { kind: "call", orgId } });
const page = (orgId: string): { turn: HashTurn } => ({ turn: { kind: "page", orgId } });

const hasher = createHasher({ cost: 4, threads: 2 });
afterAll(() => hasher.close());

test("a hash is a bcrypt hash of the given cost, and matches only its password", async () => {
  const hash = await hasher.hash("correct horse", call("a"));
  expect(hash).toMatch(/^\$2b\$04\$/);
  expect(getRounds(hash)).toBe(4);
  expect(describeHashProblem(hash)).toBeUndefined();
  expect(await compare("correct horse", hash)).toBe(true);
  expect(await compare("correct horsf", hash)).toBe(false);
});

test("the same password has a different hash each time", async () => {
  const hashes = await Promise.all(Array.from({ length: 8 }, () => hasher.hash("correct horse", call("a"))));
  expect(new Set(hashes).size).toBe(8);
});

test("all 72 bytes count", async () => {
  const start = "ä".repeat(35);
  const hash = await hasher.hash(`${start}a1`, call("a"));
  expect(await compare(`${start}a1`, hash)).toBe(true);
  expect(await compare(`${start}a2`, hash)).toBe(false);
});

test("the event loop keeps running while a password is hashed", async () => {
  const expensive = createHasher({ cost: 10, threads: 1 });
  await expensive.hash("warm", call("a"));
  let turns = 0;
  let done = false;
  const hashing = expensive.hash("correct horse", call("a")).finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await hashing;
  await expensive.close();
  // Hashing on the loop takes one iteration, or one per slice of 100 ms; with a thread, there are thousands.
  expect(turns).toBeGreaterThan(100);
});

test("a password that bcrypt would truncate is not hashed, and the error does not contain it", async () => {
  const error = await hasher.hash("secret".repeat(13), call("a")).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toBe("TypeError: the password must be at most 72 bytes of UTF-8, is 78");
});

test("a password is verified in a thread, with or without a stored hash", async () => {
  const hash = await hasher.hash("correct horse", call("a"));
  const verify = (password: string, storedHash: string | null) => hasher.verify(password, storedHash, page("a"));
  expect(await verify("correct horse", hash)).toEqual({ matches: true, needsRehash: false });
  expect(await verify("correct horsf", hash)).toEqual({ matches: false, needsRehash: false });
  expect(await verify("", hash)).toEqual({ matches: false, needsRehash: false });
  expect(await verify("x".repeat(100_000), hash)).toEqual({ matches: false, needsRehash: false });
  expect(await verify("correct horse", null)).toEqual({ matches: false, needsRehash: false });
  expect(await verify("correct horse", hash.replace("$04$", "$05$"))).toEqual({ matches: false, needsRehash: false });
  expect(await verify("correct horse", hashSync("correct horse", 5))).toEqual({ matches: true, needsRehash: true });
});

test("with argon2id, passwords may be longer, and bcrypt hashes are to be replaced", async () => {
  const argon2id = createHasher({ scheme: "argon2id", cost: 4, threads: 1 });
  const hash = await argon2id.hash("x".repeat(512), call("a"));
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await argon2id.verify("x".repeat(512), hash, call("a"))).toEqual({ matches: true, needsRehash: false });
  const old = await hasher.hash("correct horse", call("a"));
  expect(await argon2id.verify("correct horse", old, call("a"))).toEqual({ matches: true, needsRehash: true });
  await expect(argon2id.hash("x".repeat(513), call("a"))).rejects.toThrow("at most 512 bytes");
  await argon2id.close();
});

test("verifications and hashes wait in one queue", async () => {
  const single = createHasher({ cost: 4, threads: 1 });
  const verify = () => single.verify("many", null, page("a")).catch((error: unknown) => error);
  const accepted = [single.hash("first", call("a")), ...Array.from({ length: 64 }, verify)];
  expect(await verify()).toMatchObject({ reason: "UNAVAILABLE", retryAfterMs: 5_000 });
  const controller = new AbortController();
  const gone = single.verify("gone", null, { ...call("a"), signal: controller.signal });
  controller.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  await Promise.all(accepted);
  await single.close();
  await expect(single.verify("late", null, page("a"))).rejects.toThrow("closed");
});

test("one organization's passwords do not delay another's, and those of calls not those of pages", async () => {
  const single = createHasher({ cost: 4, threads: 1 });
  const order: string[] = [];
  const hash = (name: string, turn: { turn: HashTurn }) =>
    single.hash("correct horse", turn).then(() => order.push(name));
  await Promise.all([
    ...Array.from({ length: 50 }, () => hash("a", call("a"))),
    hash("b", call("b")),
    hash("b", call("b")),
    hash("page", page("a")),
    hash("page", page("a")),
  ]);
  await single.close();
  // The first one of "a" finds a free thread.
  expect(order[0]).toBe("a");
  // Turns are by measured time, and on a busy machine some hashes take many times as long as others, so the exact order
  // varies. In the order of arrival, the others would be the last four.
  expect(Math.max(order.lastIndexOf("b"), order.lastIndexOf("page"))).toBeLessThan(50);
});

/** A hash that takes 256 MiB, the largest that can be imported, for a short time. */
const LARGE = `$argon2id$v=19$m=262144,t=1,p=1$c29tZXNhbHQ$${"A".repeat(43)}`;
const CHEAP = hashSync("correct horse", 4);

test("hashes that take much memory run one at a time, and others meanwhile", async () => {
  const two = createHasher({ cost: 4, threads: 2 });
  const large = ["a", "b"].map((orgId) => two.verify("any", LARGE, page(orgId)));
  expect(two.state()).toMatchObject({ running: 1, waiting: 1 });
  const cheap = two.verify("correct horse", CHEAP, page("c"));
  expect(two.state()).toMatchObject({ running: 2, waiting: 1 });
  expect(await cheap).toMatchObject({ matches: true });
  expect(await Promise.all(large)).toMatchObject([{ matches: false }, { matches: false }]);
  await two.close();
});

test("a hash of an earlier import that takes more than all memory is still verified", async () => {
  const one = createHasher({ cost: 4, threads: 1 });
  expect(await one.verify("any", LARGE.replace("262144", "300000"), page("a"))).toMatchObject({ matches: false });
  await one.close();
});

test("an organization with slow hashes of its own leaves a thread for others", async () => {
  const two = createHasher({ cost: 5, threads: 2, slowMs: 0 });
  await two.verify("correct horse", CHEAP, page("slow"));
  const slow = [1, 2, 3].map(() => two.verify("correct horse", CHEAP, page("slow")));
  expect(two.state()).toMatchObject({ running: 1, waiting: 2 });
  const other = two.verify("correct horse", CHEAP, page("other"));
  expect(two.state()).toMatchObject({ running: 2, waiting: 2 });
  expect(await Promise.all([...slow, other])).toHaveLength(4);
  await two.close();
});

test("an organization gets all threads for new hashes, which are slow on a busy machine", async () => {
  const two = createHasher({ cost: 4, threads: 2, slowMs: 0 });
  await two.verify("correct horse", CHEAP, page("a"));
  await two.hash("correct horse", page("a"));
  const usual = [1, 2].map(() => two.verify("correct horse", CHEAP, page("a")));
  expect(two.state()).toMatchObject({ running: 2 });
  await Promise.all(usual);
  await two.close();
});

test("after many were not hashed in time, the newest password is hashed first", async () => {
  const single = createHasher({ cost: 10, threads: 1 });
  const order: number[] = [];
  const hash = (index: number) => single.hash("correct horse", call("a")).then(() => order.push(index));
  const running = hash(0);
  const deadline = new AbortController();
  const late = [1, 2, 3].map(() => single.hash("late", { ...call("a"), signal: deadline.signal }));
  deadline.abort(new Error("late"));
  await Promise.allSettled(late);
  await Promise.all([running, hash(1), hash(2), hash(3)]);
  expect(order).toEqual([0, 3, 2, 1]);
  await single.close();
});

test("passwords are hashed in a process that started with a higher nice value, which is kept", async () => {
  const script = `
    import { readdirSync, readFileSync } from "node:fs";
    import { createHasher } from ${JSON.stringify(new URL("../../src/passwords/hasher.ts", import.meta.url).href)};
    const hasher = createHasher({ cost: 4, threads: 1 });
    await hasher.hash("correct horse", ${JSON.stringify(call("a"))});
    const stat = (thread) => readFileSync("/proc/self/task/" + thread + "/stat", "utf8");
    // After the name in parentheses, which may contain spaces (proc_pid_stat(5)).
    const nice = (thread) => Number(stat(thread).replace(/^.*\\) /s, "").split(" ")[16]);
    console.log(Math.min(...readdirSync("/proc/self/task").map(nice)));
    await hasher.close();`;
  if (process.platform !== "linux") return;
  const node = [process.execPath, "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)("nice", ["-n", "11", ...node]);
  expect(stdout.trim()).toBe(String(Math.min(19, getPriority() + 11)));
});

test("a hash that is no longer needed when its turn comes is skipped", async () => {
  const single = createHasher({ cost: 4, threads: 1 });
  const first = single.hash("first", call("a"));
  const throwIfOver = () => {
    throw new Error("gone");
  };
  const gone = single.hash("gone", { ...call("a"), throwIfOver });
  const last = single.hash("last", call("a"));
  const [, skipped, served] = await Promise.allSettled([first, gone, last]);
  expect(skipped).toMatchObject({ status: "rejected", reason: { message: "gone" } });
  expect(served).toMatchObject({ status: "fulfilled" });
  await single.close();
});

test("aborting the signal ends the wait immediately, frees the place, and the password is never hashed", async () => {
  const single = createHasher({ cost: 10, threads: 1 });
  let hasEnded = false;
  const running = single.hash("running", call("a")).finally(() => {
    hasEnded = true;
  });
  const controllers = Array.from({ length: 64 }, () => new AbortController());
  const begun: number[] = [];
  const waiting = controllers.map(({ signal }, index) =>
    single.hash("waiting", { ...call("a"), signal, throwIfOver: () => begun.push(index) }),
  );
  await expect(single.hash("too many", call("a"))).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  for (const controller of controllers) controller.abort(new Error("gone"));
  const replacement = single.hash("replacement", call("a"));

  expect(await Promise.allSettled(waiting)).toEqual(
    waiting.map(() => ({ status: "rejected", reason: new Error("gone") })),
  );
  expect(hasEnded).toBe(false);
  expect(await Promise.all([running, replacement])).toEqual(Array(2).fill(expect.stringMatching(/^\$2b\$10\$/)));
  await single.close();
  expect(begun).toEqual([]);
});

test("a signal that is already aborted, or is aborted while its hash runs, rejects with its reason", async () => {
  const single = createHasher({ cost: 4, threads: 1 });
  const early = AbortSignal.abort(new Error("early"));
  await expect(single.hash("correct horse", { ...call("a"), signal: early })).rejects.toThrow("early");
  const late = new AbortController();
  const hashing = single.hash("correct horse", { ...call("a"), signal: late.signal });
  late.abort(new Error("late"));
  await expect(hashing).rejects.toThrow("late");
  await single.close();
});

test("with 64 waiting per thread, a turn is full, and other turns are not", async () => {
  const single = createHasher({ cost: 4, threads: 1 });
  const hash = (turn: { turn: HashTurn }) => single.hash("many", turn).catch((error: unknown) => error);
  // One runs.
  const accepted = Array.from({ length: 65 }, () => hash(call("a")));
  expect(await hash(call("a"))).toMatchObject({ reason: "UNAVAILABLE", retryAfterMs: 5_000 });
  accepted.push(hash(call("b")), hash(page("a")));
  expect(await Promise.all(accepted)).toEqual(accepted.map(() => expect.stringMatching(/^\$2b\$04\$/)));
  await single.close();
});

test("with a thousand waiting, the queue is full, and no turn has more than a quarter of it", async () => {
  const many = createHasher({ cost: 4, threads: 4 });
  const hash = (orgId: string) => many.hash("many", call(orgId)).catch((error: unknown) => error);
  const accepted = Array.from({ length: 4 }, (_, index) => hash(`running ${index}`));
  for (const orgId of ["a", "b", "c", "d"]) {
    accepted.push(...Array.from({ length: 250 }, () => hash(orgId)));
    expect(await hash(orgId)).toMatchObject({ reason: "UNAVAILABLE" });
  }
  expect(await hash("e")).toMatchObject({ reason: "UNAVAILABLE" });
  await many.close();
  expect(await Promise.all(accepted)).toEqual(Array(1_004).fill(expect.stringMatching(/^\$2b\$04\$/)));
});

test("close waits for running and queued hashes, and rejects new ones", async () => {
  const closing = createHasher({ cost: 4, threads: 1 });
  const hashes = ["a", "b", "c", "d"].map((password) => closing.hash(password, call("a")));
  await Promise.all([closing.close(), closing.close()]);
  const settled = await Promise.allSettled([...hashes, closing.hash("e", call("a"))]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "fulfilled", "rejected"]);
});

test("close without a hash starts no thread and ends", async () => {
  await expect(createHasher({ cost: 4, threads: 2 }).close()).resolves.toBeUndefined();
});

test("a process that has hashed exits once the threads are closed", async () => {
  const module = new URL("../../src/passwords/hasher.ts", import.meta.url).href;
  const script = `
    import { createHasher } from ${JSON.stringify(module)};
    const hasher = createHasher({ cost: 4, threads: 2 });
    const turn = { kind: "call", orgId: "a" };
    console.log((await hasher.hash("correct horse", { turn })).slice(0, 7));
    await hasher.close();
  `;
  const child = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { timeout: 120_000 });
  await expect(child).resolves.toEqual({ stdout: "$2b$04$\n", stderr: "" });
});
