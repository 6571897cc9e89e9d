import { createHash } from "node:crypto";
import { hashSync } from "bcryptjs";
import { ldif } from "../../../src/moving/sources/ldif.ts";
import { REAL_HASHES } from "../../passwords/real-hashes.ts";
import { convert, isPassword, lostOf, readUser } from "./read.ts";

const PASSWORD = "correct horse";
const SALT = Buffer.from("salt");
const SSHA = `{SSHA}${Buffer.concat([createHash("sha1").update(PASSWORD).update(SALT).digest(), SALT]).toString("base64")}`;

/** An entry of OpenLDAP, as `slapcat` writes it. */
const ENTRY = {
  dn: "uid=ada,ou=people,dc=example,dc=com",
  objectclass: ["inetOrgPerson", "posixAccount"],
  uid: "ada",
  cn: "Ada Lovelace",
  givenname: "Ada",
  sn: "Lovelace",
  mail: ["ada@example.com", "countess@example.com"],
  mobile: "+41791234567",
  userpassword: SSHA,
  uidnumber: "1000",
  departmentnumber: ["1", "2"],
  entryuuid: "5e6f0c4e-0000-103c-8000-000000000001",
  creatorsname: "cn=admin,dc=example,dc=com",
};

test("an entry of OpenLDAP", () => {
  const user = readUser(ldif, ENTRY);
  expect(user).toEqual({
    sourceId: ENTRY.entryuuid,
    userName: "ada",
    firstName: "Ada",
    lastName: "Lovelace",
    displayName: "Ada Lovelace",
    email: "ada@example.com",
    phone: "+41791234567",
    passwordHash: SSHA,
    metadata: { uidnumber: "1000", departmentnumber: '["1","2"]' },
    inactive: false,
    lost: ["second email address"],
  });
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test.each([
  `{CRYPT}${hashSync(PASSWORD, 4)}`,
  `{ARGON2}${REAL_HASHES["argon2id (reference implementation)"]}`,
  ["{SASL}ada@EXAMPLE.COM", SSHA],
])("the password %j", (userpassword) => {
  const user = readUser(ldif, { dn: "x", userpassword });
  expect(user.lost).toBeUndefined();
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test.each([
  ["{SASL}ada@EXAMPLE.COM", "password: the scheme {SASL} is not supported"],
  ["{CRYPT}rl0uE0D6ZzF6Y", "password: the scheme {CRYPT} is not supported"],
  ["secret", "password: a hash of an unknown scheme"],
])("the password %j is lost", (userpassword, reason) => {
  expect(lostOf(ldif, { dn: "x", userpassword })).toEqual([reason]);
});

test("what is not a person is left out", () => {
  const reasonOf = (entry: object) => convert(ldif, { dn: "x", ...entry });
  expect(reasonOf({ objectclass: ["top", "organizationalUnit"] })).toMatchObject({ kind: "skipped" });
  expect(reasonOf({ objectclass: ["person", "user", "computer"] })).toMatchObject({ kind: "skipped" });
  expect(reasonOf({ changetype: "modify" })).toMatchObject({ kind: "skipped", reason: "change record" });
});
