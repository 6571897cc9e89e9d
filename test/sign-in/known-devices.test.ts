import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { createKnownDevices } from "../../src/sign-in/known-devices.ts";

const [old, current] = [randomBytes(32), randomBytes(32)];
const devices = createKnownDevices(createKeyring([current]));
const ada = { orgId: "org", nameKey: "ada" };

test("a cookie recognizes the device for the users who signed in from it, and for nobody else", () => {
  const cookie = devices.remember(devices.remember(undefined, ada), { ...ada, nameKey: "grace" });
  const device = devices.find(cookie, ada);
  expect(device).toMatch(/^[\w-]{22}$/);
  expect(devices.find(cookie, { ...ada, nameKey: "grace" })).toBe(device);
  expect(devices.find(cookie, { ...ada, nameKey: "eve" })).toBeUndefined();
  expect(devices.find(cookie, { ...ada, orgId: "other" })).toBeUndefined();
});

test("a cookie keeps the five users who signed in last", () => {
  let cookie = devices.remember(undefined, ada);
  const others = [1, 2, 3, 4, 5].map((number) => ({ ...ada, nameKey: `user-${number}` }));
  for (const other of others.slice(0, 4)) cookie = devices.remember(cookie, other);
  cookie = devices.remember(cookie, ada);
  cookie = devices.remember(cookie, { ...ada, nameKey: "user-5" });
  expect(devices.find(cookie, ada)).toBeDefined();
  expect(devices.find(cookie, { ...ada, nameKey: "user-1" })).toBeUndefined();
  expect(cookie.split(".")).toHaveLength(6);
});

test.each([
  ["missing", () => undefined],
  ["empty", () => ""],
  ["without users", (cookie: string) => cookie.split(".")[0]],
  ["with another device", (cookie: string) => cookie.replace(/^[^.]+/, "A".repeat(22))],
  ["with another character", (cookie: string) => `${cookie}!`],
  ["of another installation", () => createKnownDevices(createKeyring([old])).remember(undefined, ada)],
])("a cookie that is %s recognizes nothing, and is replaced", (_, change) => {
  const cookie = change(devices.remember(undefined, ada));
  expect(devices.find(cookie, ada)).toBeUndefined();
  expect(devices.find(devices.remember(cookie, ada), ada)).toBeDefined();
});

test("a cookie survives the rotation of the master key", () => {
  const cookie = createKnownDevices(createKeyring([old])).remember(undefined, ada);
  const rotated = createKnownDevices(createKeyring([current, old]));
  expect(rotated.find(cookie, ada)).toBeDefined();
  expect(devices.find(rotated.remember(cookie, ada), ada)).toBeDefined();
});
