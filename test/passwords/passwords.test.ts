import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, expect, test } from "@jest/globals";
import { compare, getRounds } from "bcryptjs";
import { describeHashProblem } from "../../src/passwords/password-hash.ts";
import { createPasswords, describePasswordProblem } from "../../src/passwords/passwords.ts";

const passwords = createPasswords({ cost: 4, threads: 2 });
afterAll(() => passwords.close());

test("a hash is bcrypt of the given cost, and verifies its password and no other", async () => {
  const hash = await passwords.hash("correct horse");
  expect(hash).toMatch(/^\$2b\$04\$/);
  expect(getRounds(hash)).toBe(4);
  expect(describeHashProblem(hash)).toBeUndefined();
  expect(await compare("correct horse", hash)).toBe(true);
  expect(await compare("correct horsf", hash)).toBe(false);
});

test("the same password has another hash each time", async () => {
  const hashes = await Promise.all(Array.from({ length: 8 }, () => passwords.hash("correct horse")));
  expect(new Set(hashes).size).toBe(8);
});

test("all 72 bytes count", async () => {
  const start = "ä".repeat(35);
  const hash = await passwords.hash(`${start}a1`);
  expect(await compare(`${start}a1`, hash)).toBe(true);
  expect(await compare(`${start}a2`, hash)).toBe(false);
});

test("the event loop turns while a password is hashed", async () => {
  const expensive = createPasswords({ cost: 10, threads: 1 });
  await expensive.hash("warm");
  let turns = 0;
  let done = false;
  const hashing = expensive.hash("correct horse").finally(() => {
    done = true;
  });
  while (!done) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await hashing;
  await expensive.close();
  // Hashing on the loop takes one turn, or one for each slice of 100 ms; in a thread the loop is free for thousands.
  expect(turns).toBeGreaterThan(100);
});

test("a password that bcrypt would cut is never hashed, and the error does not hold it", async () => {
  const error = await passwords.hash("secret".repeat(13)).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toBe("TypeError: the password must be at most 72 bytes of UTF-8, is 78");
});

test("who has gone when the turn comes is passed by, and those behind are served", async () => {
  const single = createPasswords({ cost: 4, threads: 1 });
  const first = single.hash("first");
  const gone = single.hash("gone", () => {
    throw new Error("gone");
  });
  const last = single.hash("last");
  const [, passedBy, served] = await Promise.allSettled([first, gone, last]);
  expect(passedBy).toMatchObject({ status: "rejected", reason: { message: "gone" } });
  expect(served).toMatchObject({ status: "fulfilled" });
  await single.close();
});

test("where a thousand wait already, one more is told to try again", async () => {
  const single = createPasswords({ cost: 4, threads: 1 });
  const answers = Array.from({ length: 1_002 }, () => single.hash("many", () => {}).catch((error: unknown) => error));
  expect(await answers[1_001]).toMatchObject({ reason: "UNAVAILABLE" });
  await single.close();
  expect(await Promise.all(answers.slice(0, 1_001))).toEqual(Array(1_001).fill(expect.stringMatching(/^\$2b\$04\$/)));
});

test("close waits for the hashes under way, those in the queue too, and then refuses", async () => {
  const closing = createPasswords({ cost: 4, threads: 1 });
  const hashes = ["a", "b", "c", "d"].map((password) => closing.hash(password));
  await Promise.all([closing.close(), closing.close()]);
  const settled = await Promise.allSettled([...hashes, closing.hash("e")]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "fulfilled", "rejected"]);
});

test("close without a hash starts no thread and ends", async () => {
  await expect(createPasswords({ cost: 4, threads: 2 }).close()).resolves.toBeUndefined();
});

test("a process that has hashed exits once the threads are closed", async () => {
  const module = new URL("../../src/passwords/passwords.ts", import.meta.url).href;
  const script = `
    import { createPasswords } from ${JSON.stringify(module)};
    const passwords = createPasswords({ cost: 4, threads: 2 });
    console.log((await passwords.hash("correct horse")).slice(0, 7));
    await passwords.close();
  `;
  const child = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { timeout: 30_000 });
  await expect(child).resolves.toEqual({ stdout: "$2b$04$\n", stderr: "" });
});

test.each(["a", "a".repeat(72), "ä".repeat(36), "😀".repeat(18), " ", "\n"])("%j is a password", (password) => {
  expect(describePasswordProblem(password)).toBeUndefined();
});

test.each([
  ["nothing", "", "must not be empty"],
  ["73 bytes", "a".repeat(73), "must be at most 72 bytes of UTF-8, is 73"],
  ["37 letters of two bytes", "ä".repeat(37), "must be at most 72 bytes of UTF-8, is 74"],
  ["19 characters of four bytes", "😀".repeat(19), "must be at most 72 bytes of UTF-8, is 76"],
  ["a NUL", "secret\0more", "must not contain the character U+0000"],
  ["a lone surrogate", "secret\ud800", "must be well-formed Unicode"],
])("%s is no password", (_what, password, description) => {
  expect(describePasswordProblem(password)).toBe(description);
});
