import { expect, test } from "@jest/globals";
import { createStartLimit } from "../../src/oidc/start-limit.ts";

test("an address can start a burst of five hundred sign-ins, and five per second in the long run", () => {
  let now = 0;
  const limit = createStartLimit(() => now);
  for (let count = 0; count < 500; count += 1) expect(limit.reserve("192.0.2.1")).toBe(0);
  expect(limit.reserve("192.0.2.1")).toBe(200);
  expect(limit.reserve("192.0.2.2")).toBe(0);
  now += 200;
  expect(limit.reserve("192.0.2.1")).toBe(0);
});

test.each(["release", "settle"] as const)("a sign-in does not count after %j", (end) => {
  const limit = createStartLimit(() => 0);
  for (let count = 0; count < 600; count += 1) {
    expect(limit.reserve("2001:db8::1")).toBe(0);
    limit[end]("2001:db8::2");
  }
  expect(limit.reserve("2001:db8::3")).toBe(0);
});

test("a request with many characters counts as several", () => {
  const limit = createStartLimit(() => 0);
  for (let count = 0; count < 125; count += 1) {
    expect(limit.reserve("192.0.2.1")).toBe(0);
    limit.count("192.0.2.1", 8_000, false);
  }
  expect(limit.reserve("192.0.2.1")).toBeGreaterThan(0);
});

test("a start counts even if the client has disconnected", () => {
  const limit = createStartLimit(() => 0);
  for (let count = 0; count < 500; count += 1) {
    expect(limit.reserve("192.0.2.1")).toBe(0);
    limit.release("192.0.2.1");
    limit.count("192.0.2.1", 500, true);
  }
  expect(limit.reserve("192.0.2.1")).toBeGreaterThan(0);
});

test("the least recently seen address is forgotten first", () => {
  const limit = createStartLimit(() => 0);
  for (let count = 0; count < 500; count += 1) limit.reserve("192.0.2.1");
  for (let count = 0; count < 9_999; count += 1) limit.reserve(`10.0.${count >> 8}.${count & 255}`);
  expect(limit.reserve("192.0.2.1")).toBeGreaterThan(0);
  for (let count = 0; count < 10_000; count += 1) limit.reserve(`10.1.${count >> 8}.${count & 255}`);
  expect(limit.reserve("192.0.2.1")).toBe(0);
});
