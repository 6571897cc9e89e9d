import {
  describeHashProblem,
  parsePasswordHash,
  verifyPasswordHash,
} from "../../../src/passwords/modular-crypt-format.ts";
import { testBounds } from "./expectations.ts";

const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");
const zeros = (bytes: number) => base64(Buffer.alloc(bytes));
const sha256 = (format: string, salt = base64("salt"), hash = zeros(32)) =>
  `$sha256$pf=${base64(format)}$${salt}$${hash}`;

testBounds([
  ["the shortest salt", sha256("{SALT}{PASSWORD}", zeros(1)), "$sha256$pf=e1NBTFR9$$AA==", /complete salted digest/],
  [
    "the longest salt",
    sha256("{SALT}{PASSWORD}", zeros(128)),
    sha256("{SALT}{PASSWORD}", zeros(129)),
    /salt of 1 to 128/,
  ],
  [
    "a whole hash",
    sha256("{SALT}{PASSWORD}"),
    sha256("{SALT}{PASSWORD}", zeros(4), zeros(31)),
    /hash of 32 to 32 bytes/,
  ],
]);

test.each(["{SALT}", "{PASSWORD}", "salt", "{salt}{password}"])("the format %s is rejected", (format) => {
  expect(describeHashProblem(sha256(format))).toBe("must have {SALT} and {PASSWORD} in pf");
});

test("the size of the hash belongs to the digest", () => {
  for (const [digest, bytes] of Object.entries({ md5: 16, sha1: 20, sha256: 32, sha512: 64 })) {
    const hash = (size: number) => `$${digest}$pf=${base64("{PASSWORD}{SALT}")}$${zeros(8)}$${zeros(size)}`;
    expect(describeHashProblem(hash(bytes))).toBeUndefined();
    expect(describeHashProblem(hash(bytes + 1))).toMatch(/^must have a hash of /);
  }
});

test("a placeholder in the password or the salt is not replaced", () => {
  // SHA-256 of "{PASSWORD}|{SALT}".
  const hash = "ssubJVNeso1PPf6mLgMjZpoldUX7Hqk7nNJQDz3dr2k=";
  const parsed = parsePasswordHash(sha256("{SALT}|{PASSWORD}", base64("{PASSWORD}"), hash));
  if (!parsed.ok) throw new Error(parsed.problem);
  expect(verifyPasswordHash(parsed.hash, "{SALT}")).toBe(true);
  expect(verifyPasswordHash(parsed.hash, "{PASSWORD}")).toBe(false);
});
