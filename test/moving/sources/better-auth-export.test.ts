import { readFileSync } from "node:fs";
import { betterAuth } from "../../../src/moving/sources/better-auth.ts";
import { PASSWORDS } from "../fixtures/better-auth/users.ts";
import { convert, isPassword, readUser } from "./read.ts";

type Row = Readonly<Record<string, unknown>>;

/** Rows that Better Auth 1.7.25 has stored: test/moving/fixtures/better-auth/make-export.sh. */
const TABLES: Readonly<Record<string, readonly Row[]>> = JSON.parse(
  readFileSync(new URL("../fixtures/better-auth/export.json", import.meta.url), "utf8"),
);

/** The row of a user with those that belong to it. */
function recordOf(email: string): Row {
  const user = TABLES.user?.find((row) => row.email === email);
  if (user === undefined) throw new Error(`the export has no user ${email}`);
  const others = [...(TABLES.account ?? []), ...(TABLES.twoFactor ?? [])].flatMap(
    (row) => betterAuth.secondFile?.(row) ?? [],
  );
  return Object.assign({ ...user }, ...others.filter(({ id }) => id === user.id).map(({ values }) => values));
}

test("every row is a user, or belongs to one", () => {
  const anonymous = TABLES.user?.filter((row) => convert(betterAuth, row).kind === "skipped") ?? [];
  expect([TABLES.user?.length, anonymous.length]).toEqual([6, 1]);
  expect(convert(betterAuth, anonymous[0] ?? {})).toMatchObject({ reason: "anonymous user" });
  expect(TABLES.account?.every((row) => betterAuth.secondFile?.(row) !== undefined)).toBe(true);
  expect(TABLES.twoFactor?.every((row) => betterAuth.secondFile?.(row) !== undefined)).toBe(true);
});

test.each(Object.entries(PASSWORDS))(
  "the password of %s matches the hash that Better Auth has made",
  (email, password) => {
    const { passwordHash } = readUser(betterAuth, recordOf(email));
    expect(isPassword(password, passwordHash)).toBe(true);
  },
);

test("the rest of the users", () => {
  expect(readUser(betterAuth, recordOf("ada@example.com"))).toMatchObject({
    userName: "Ada",
    displayName: "Ada Lovelace",
    emailVerified: true,
    links: [{ provider: "google", externalUserId: "109876543210" }],
    metadata: { plan: "pro" },
  });
  expect(readUser(betterAuth, recordOf("phone@example.com"))).toMatchObject({
    phone: "+41791234567",
    phoneVerified: true,
  });
  expect(readUser(betterAuth, recordOf("banned@example.com"))).toMatchObject({ inactive: true });
  expect(readUser(betterAuth, recordOf("codes@example.com"))).toMatchObject({
    lost: ["one-time codes: encrypted with the secret of Better Auth"],
  });
});
