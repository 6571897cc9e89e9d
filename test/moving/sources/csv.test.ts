import { hashSync } from "bcryptjs";
import { csv } from "../../../src/moving/sources/csv.ts";
import { convert, isPassword, lostOf, readUser } from "./read.ts";

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

test.each([
  ["Laravel", { password: "$2y$10$CwTycUXWue0Thq9StjUM0uJ8Qh5mlu1cZ3e0h3Bq0pJd1vQ1p3G7i" }],
  ["Django", { password: "pbkdf2_sha256$100$dJaNgO5a1t$7CLSZRQzN9mxHrxVjvYDyMYpXBQhbWGDmN0jnUQsO4o=" }],
  ["Spring Security", { passwd: "{bcrypt}$2a$04$V4XSvrDerZV19EL1WGaMjO9ejloXnhxpozfllZ9AbrFltCUFwtD9S" }],
])("a column named password with the hashes of %s is the password hash", (_framework, row) => {
  const user = readUser(csv, { id: "1", ...row });
  expect(user).toEqual({ sourceId: "1", passwordHash: Object.values(row)[0] });
});

test("a password that Django cannot use is none, and a hash of another scheme is lost by name", () => {
  expect(readUser(csv, { id: "1", password: `!${"aB1".repeat(13)}c` })).toEqual({ sourceId: "1" });
  expect(lostOf(csv, { id: "1", password: "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o" })).toEqual([
    "password: yescrypt ($y$) is not supported",
  ]);
});

test.each([
  ["2023-04-01 10:00:00", true],
  ["2023-04-01T10:00:00.123Z", true],
  ["2023-04-01", true],
  ["01.04.2023 10:00", true],
  ["1680343200", true],
  ["0000-00-00 00:00:00", false],
  ["Y", true],
  ["n", false],
  ["on", true],
])("the flag %s is %s", (value, isTrue) => {
  expect(readUser(csv, { id: "1", email_verified_at: value }).emailVerified).toBe(isTrue);
});

test("null of a database is no value", () => {
  expect(readUser(csv, { id: "1", email_verified_at: "\\N", banned_at: "\\N" })).toEqual({ sourceId: "1" });
});

test.each([
  ["Entra ID", { accountEnabled: "False" }, { accountEnabled: "True" }],
  ["Django", { is_active: "f" }, { is_active: "t" }],
  ["Laravel", { active: "0" }, { active: "1" }],
  ["Okta", { status: "SUSPENDED" }, { status: "PASSWORD_EXPIRED" }],
  ["Okta", { status: "DEPROVISIONED" }, { status: "LOCKED_OUT" }],
  ["Active Directory", { userAccountControl: "514" }, { userAccountControl: "512" }],
  ["Supabase", { banned_until: "2999-01-01 00:00:00+00" }, { banned_until: "2001-01-01 00:00:00+00" }],
  ["Rails", { suspended_at: "2023-04-01 10:00:00" }, { suspended_at: "" }],
])("the columns of %s say who is inactive", (_system, inactive, active) => {
  expect(readUser(csv, { id: "1", ...inactive })).toEqual({ sourceId: "1", inactive: true });
  expect(readUser(csv, { id: "1", ...active })).toEqual({ sourceId: "1" });
  // Another column does not make the user active again.
  expect(readUser(csv, { id: "1", enabled: "true", ...inactive, isEnabled: "1", disabled: "0" }).inactive).toBe(true);
});

test("a status that is not known is a problem, unless it is mapped", () => {
  const row = { id: "1", status: "gold" };
  expect(convert(csv, row)).toMatchObject({ kind: "refused", problems: [{ field: "status" }] });
  expect(readUser(csv, row, { map: { status: "metadata.status" } }).metadata).toEqual({ status: "gold" });
});

test("a map with an exclamation mark negates a flag", () => {
  const map = { "!aktiv": "inactive", "!unconfirmed": "emailVerified" };
  expect(readUser(csv, { id: "1", aktiv: "0", unconfirmed: "false" }, { map })).toEqual({
    ...{ sourceId: "1", inactive: true, emailVerified: true },
  });
  expect(readUser(csv, { id: "1", aktiv: "1", unconfirmed: "true" }, { map })).toEqual({
    ...{ sourceId: "1", emailVerified: false },
  });
  expect(convert(csv, { id: "1", aktiv: "x" }, { map })).toMatchObject({ problems: [{ field: "aktiv" }] });
  expect(convert(csv, { id: "1", mail: "x" }, { map: { "!mail": "email" } })).toMatchObject({
    problems: [{ field: "!mail", description: expect.stringContaining("cannot be mapped to email") }],
  });
});

test("a row that was deleted softly is left out", () => {
  expect(convert(csv, { id: "1", deleted_at: "2023-04-01 10:00:00" })).toEqual({
    ...{ kind: "skipped", sourceId: "1", reason: "deleted user" },
  });
  expect(readUser(csv, { id: "1", deleted_at: "" })).toEqual({ sourceId: "1" });
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
          /^cannot be mapped to level; allowed: id, userName, .*metadata\.<key>, link\.<provider>, -$/,
        ),
      },
    ],
  });
});
