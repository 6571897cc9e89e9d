import { expect, test } from "@jest/globals";
import { createStartLimit } from "../../src/oidc/start-limit.ts";

test("an address may start five hundred sign-ins at once, and five per second in the long run", () => {
  let now = 0;
  const limit = createStartLimit(() => now);
  for (let count = 0; count < 500; count += 1) limit.count("192.0.2.1");
  expect(limit.waitMs("192.0.2.1")).toBe(200);
  expect(limit.waitMs("192.0.2.2")).toBe(0);
  now += 200;
  expect(limit.waitMs("192.0.2.1")).toBe(0);
});

test("a completed sign-in does not count", () => {
  const limit = createStartLimit(() => 0);
  for (let count = 0; count < 600; count += 1) {
    limit.count("2001:db8::1");
    limit.settle("2001:db8::2");
  }
  expect(limit.waitMs("2001:db8::3")).toBe(0);
});

test("the address that was seen longest ago is forgotten first", () => {
  const limit = createStartLimit(() => 0);
  for (let count = 0; count < 500; count += 1) limit.count("192.0.2.1");
  for (let count = 0; count < 9_999; count += 1) limit.count(`10.0.${count >> 8}.${count & 255}`);
  expect(limit.waitMs("192.0.2.1")).toBeGreaterThan(0);
  for (let count = 0; count < 10_000; count += 1) limit.count(`10.1.${count >> 8}.${count & 255}`);
  expect(limit.waitMs("192.0.2.1")).toBe(0);
});
