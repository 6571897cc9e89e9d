import { hashSync } from "bcryptjs";
import { csv } from "../../../src/moving/sources/csv.ts";
import { convert, isPassword, readUser } from "./read.ts";

test("columns with usual names need no map", () => {
  const row = {
    ID: "17",
    "E-Mail": "",
    "Email Address": "ada@example.com",
    email_verified: "t",
    FirstName: "Ada",
    surname: "Lovelace",
    phone_number: "079 123 45 67",
    Locale: "de",
    password_hash: hashSync("correct horse", 4),
    totp_secret: "gezd gnbv gy3t qojq gezd gnbv gy3t qojq",
    recovery_codes: "aaaa-bbbb|cccc-dddd",
    sub: "old|17",
    disabled: "1",
  };
  const user = readUser(csv, row);
  expect(user).toEqual({
    sourceId: "17",
    firstName: "Ada",
    lastName: "Lovelace",
    language: "de",
    email: "ada@example.com",
    emailVerified: true,
    phone: "079 123 45 67",
    passwordHash: row.password_hash,
    otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    recoveryCodes: ["aaaa-bbbb", "cccc-dddd"],
    subject: "old|17",
    inactive: true,
  });
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
});

test("a map gives columns their fields, metadata and links, and overrides the usual names", () => {
  const row = {
    nr: "17",
    email: "login@example.com",
    contact: "ada@example.com",
    plan: "pro",
    google_id: "1098",
    note: "x",
  };
  const map = { nr: "id", contact: "email", plan: "metadata.plan", google_id: "link.google" };
  expect(readUser(csv, row, { map })).toEqual({
    sourceId: "17",
    email: "ada@example.com",
    metadata: { plan: "pro" },
    links: [{ provider: "google", externalUserId: "1098" }],
    lost: ["column email", "column note"],
  });
});

test("without an id, the address identifies the user, otherwise the user name", () => {
  expect(readUser(csv, { email: "Ada@example.com" }).sourceId).toBe("ada@example.com");
  expect(readUser(csv, { username: "ada" }).sourceId).toBe("ada");
  expect(convert(csv, { name: "Ada" })).toEqual({
    kind: "refused",
    problems: [{ field: "", description: "must have the id of the user" }],
  });
});

test("a plain password is not imported", () => {
  expect(readUser(csv, { id: "1", password: "secret" })).toEqual({ sourceId: "1", lost: ["password: plain text"] });
});

test.each([
  ["$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7", "yescrypt ($y$) is not supported"],
  ["{noop}secret", "plain text ({noop}) is not supported"],
  ["5f4dcc3b5aa765d61d8327deb882cf99", "unsalted MD5"],
  ["$shiro1$SHA-256$500000$c2FsdA==$aGFzaA==", "the scheme $shiro1$ is not supported"],
])("the hash %s is lost by name", (hash, reason) => {
  const user = readUser(csv, { id: "1", password_hash: hash });
  expect(user).toEqual({ sourceId: "1", lost: [`password: ${reason}`] });
});

test("a map to an unknown field is a problem of the column", () => {
  expect(convert(csv, { id: "1", tier: "gold" }, { map: { tier: "level" } })).toEqual({
    kind: "refused",
    sourceId: "1",
    problems: [
      {
        field: "tier",
        description: expect.stringMatching(
          /^cannot be mapped to level; allowed: id, userName, .*metadata\.<key>, link\.<provider>$/,
        ),
      },
    ],
  });
});
