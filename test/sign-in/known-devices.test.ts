import { randomBytes } from "node:crypto";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { createKnownDevices } from "../../src/sign-in/known-devices.ts";

const [old, current] = [randomBytes(32), randomBytes(32)];
const devices = createKnownDevices(createKeyring([current]));
const BY_SIGN_IN = ["sign-in"] as const;
const ada = { orgId: "org", nameKey: "ada" };

test("a cookie identifies the device for the users who signed in from it, and for no others", () => {
  const cookie = devices.remember(devices.remember(undefined, ada, "sign-in"), { ...ada, nameKey: "grace" }, "sign-in");
  const device = devices.find(cookie, ada, BY_SIGN_IN);
  expect(device).toMatch(/^[\w-]{22}$/);
  expect(devices.find(cookie, { ...ada, nameKey: "grace" }, BY_SIGN_IN)).toBe(device);
  expect(devices.find(cookie, { ...ada, nameKey: "eve" }, BY_SIGN_IN)).toBeUndefined();
  expect(devices.find(cookie, { ...ada, orgId: "other" }, BY_SIGN_IN)).toBeUndefined();
});

test("a cookie keeps the five users who signed in last", () => {
  let cookie = devices.remember(undefined, ada, "sign-in");
  const others = [1, 2, 3, 4, 5].map((number) => ({ ...ada, nameKey: `user-${number}` }));
  for (const other of others.slice(0, 4)) cookie = devices.remember(cookie, other, "sign-in");
  cookie = devices.remember(cookie, ada, "sign-in");
  cookie = devices.remember(cookie, { ...ada, nameKey: "user-5" }, "sign-in");
  expect(devices.find(cookie, ada, BY_SIGN_IN)).toBeDefined();
  expect(devices.find(cookie, { ...ada, nameKey: "user-1" }, BY_SIGN_IN)).toBeUndefined();
  expect(cookie.split(".")).toHaveLength(6);
});

test.each([
  ["missing", () => undefined],
  ["empty", () => ""],
  ["without users", (cookie: string) => cookie.split(".")[0]],
  ["with another device", (cookie: string) => cookie.replace(/^[^.]+/, "A".repeat(22))],
  ["with another character", (cookie: string) => `${cookie}!`],
  ["of another installation", () => createKnownDevices(createKeyring([old])).remember(undefined, ada, "sign-in")],
])("a cookie that is %s recognizes nothing, and is replaced", (_, change) => {
  const cookie = change(devices.remember(undefined, ada, "sign-in"));
  expect(devices.find(cookie, ada, BY_SIGN_IN)).toBeUndefined();
  expect(devices.find(devices.remember(cookie, ada, "sign-in"), ada, BY_SIGN_IN)).toBeDefined();
});

test("a cookie survives the rotation of the master key", () => {
  const cookie = createKnownDevices(createKeyring([old])).remember(undefined, ada, "sign-in");
  const rotated = createKnownDevices(createKeyring([current, old]));
  expect(rotated.find(cookie, ada, BY_SIGN_IN)).toBeDefined();
  expect(devices.find(rotated.remember(cookie, ada, "sign-in"), ada, BY_SIGN_IN)).toBeDefined();
});

test("a link proves less than a sign-in, and does not replace the proof of a sign-in", () => {
  const byLink = devices.remember(undefined, ada, "link");
  expect(devices.find(byLink, ada, BY_SIGN_IN)).toBeUndefined();
  expect(devices.find(byLink, ada, ["sign-in", "link"])).toBeDefined();
  const bySignIn = devices.remember(byLink, ada, "sign-in");
  expect(devices.find(devices.remember(bySignIn, ada, "link"), ada, BY_SIGN_IN)).toBeDefined();
  expect(bySignIn.split(".")).toHaveLength(2);
});
