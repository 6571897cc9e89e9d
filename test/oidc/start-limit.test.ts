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

test("an IPv6 /56 and a /48 can start twice and four times as much as a single network", () => {
  const rate = { burst: 3, perSecond: 1 };
  const limit = createStartLimit(() => 0, rate);
  const countStarts = (addresses: readonly string[]) =>
    addresses.filter((address) => limit.reserve(address) === 0).length;
  const ofSite = Array.from({ length: 20 }, (_, index) => `2001:db8:1:${(index + 2).toString(16)}::1`);
  const ofRange = Array.from({ length: 20 }, (_, index) => `2001:db8:1:${(index + 2).toString(16)}00::1`);
  // A network that has used up its own limit uses up nothing else.
  expect(countStarts(Array(20).fill("2001:db8:1:1::1"))).toBe(3);
  expect(countStarts(ofSite)).toBe(3);
  expect(countStarts(ofRange)).toBe(6);
  expect(limit.reserve("2001:db8:2::1")).toBe(0);
  limit.release("2001:db8:1:1::1");
  expect(limit.reserve("2001:db8:1:1::1")).toBe(0);
});
