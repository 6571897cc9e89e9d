import { describeHashProblem } from "../../../src/passwords/modular-crypt-format.ts";
import { ldap } from "../../../src/passwords/schemes/ldap.ts";
import { testBounds } from "./expectations.ts";

const withBytes = (name: string, bytes: number) => `{${name}}${Buffer.alloc(bytes, 1).toString("base64")}`;

test.each([
  ["SSHA", "sha1", 20],
  ["SSHA256", "sha256", 32],
  ["SSHA512", "sha512", 64],
])("{%s} is parsed into a hash by %s and a salt", (name, digest, size) => {
  const parts = { scheme: "LDAP", digest, hash: Buffer.alloc(size, 1), salt: Buffer.alloc(8, 1) };
  const value = withBytes(name, size + 8);
  expect(ldap.parse(value)).toEqual({ ok: true, hash: parts });
  expect(ldap.parse(value.replaceAll("=", ""))).toEqual({ ok: true, hash: parts });
  expect(ldap.parse(withBytes(name.toLowerCase(), size + 8))).toEqual({ ok: true, hash: parts });
});

testBounds([
  ["the shortest salt", withBytes("SSHA", 21), withBytes("SSHA", 20), /complete LDAP hash/],
  ["the longest salt", withBytes("SSHA512", 192), withBytes("SSHA512", 193), /1 to 128 bytes of salt/],
]);

test.each(["{SSHA}", "{ssha}AAAA AAAA", "{SSHA}$6$salt$hash"])("%s is rejected", (value) => {
  expect(describeHashProblem(value)).toMatch(/^must be a complete LDAP hash/);
});

test("the name of {CRYPT} is compared regardless of case", () => {
  const hash = `$5$salt$${"a".repeat(42)}.`;
  expect(describeHashProblem(`{crypt}${hash}`)).toBeUndefined();
  expect(describeHashProblem(`{CRYPT}${hash.slice(0, -1)}`)).toMatch(/^must be a complete SHA-crypt hash/);
});
