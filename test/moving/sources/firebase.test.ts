import { createCipheriv, scryptSync } from "node:crypto";
import { firebase } from "../../../src/moving/sources/firebase.ts";
import { convert, isPassword, lostOf, readUser } from "./read.ts";

const PROJECT = {
  signerKey: Buffer.from("a signer key of 64 bytes, which belongs to a project of Firebase").toString("base64"),
  saltSeparator: "Bw==",
  rounds: 8,
  memCost: 14,
};
const OPTIONS = { firebase: PROJECT };

/** firebase.google.com/docs/auth and github.com/firebase/scrypt. */
function hashPassword(password: string, salt: Buffer): string {
  const key = scryptSync(password, Buffer.concat([salt, Buffer.from(PROJECT.saltSeparator, "base64")]), 32, {
    N: 2 ** PROJECT.memCost,
    r: PROJECT.rounds,
    p: 1,
  });
  const cipher = createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
  return cipher.update(Buffer.from(PROJECT.signerKey, "base64")).toString("base64");
}

const SALT = Buffer.from("0123456789");
const HASH = hashPassword("correct horse", SALT);

/** After `firebase auth:export users.json`. */
const USER = {
  localId: "uid1",
  email: "ada@example.com",
  emailVerified: true,
  passwordHash: HASH,
  salt: SALT.toString("base64"),
  displayName: "Ada Lovelace",
  photoUrl: "https://example.com/ada.png",
  lastSignedInAt: "1704153600000",
  createdAt: "1704067200000",
  phoneNumber: "+41791234567",
  disabled: true,
  customAttributes: '{"role":"admin","level":3}',
  providerUserInfo: [{ providerId: "google.com", rawId: "1098", email: "ada@gmail.example", displayName: "Ada" }],
};

test("a user of the JSON export", () => {
  const user = readUser(firebase, USER, OPTIONS);
  expect(user).toEqual({
    sourceId: "uid1",
    displayName: "Ada Lovelace",
    email: "ada@example.com",
    emailVerified: true,
    phone: "+41791234567",
    phoneVerified: true,
    passwordHash: expect.stringMatching(/^\$firescrypt\$ln=14,r=8,p=1\$/),
    links: [{ provider: "google.com", externalUserId: "1098", displayName: "ada@gmail.example" }],
    metadata: { "claims.role": "admin", "claims.level": "3" },
    inactive: true,
    lost: ["picture"],
  });
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
});

test("parameters of the project in base64url, and without padding, are the same", () => {
  const project = {
    ...PROJECT,
    signerKey: PROJECT.signerKey.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
  };
  const user = readUser(firebase, USER, { firebase: { ...project, saltSeparator: "Bw" } });
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
});

/** As the CLI writes a row: 52 values, each followed by a comma. */
const ROW = `uid1,ada@example.com,true,${HASH},${SALT.toString("base64")},Ada Lovelace,,1098,ada@gmail.example,Ada,,${",".repeat(12)}1704067200000,1704153600000,+41791234567,false,,${",".repeat(20)}m-42,,,,`;

test("a row of the CSV has 52 columns and a comma at its end", () => {
  const columns = firebase.csvColumns ?? [];
  expect(columns).toHaveLength(53);
  expect(columns[27]).toBe("customAttributes");
  expect(columns[28]).toBe("apple.com rawId");
  expect(columns[51]).toBe("yahoo.com photoUrl");
  expect(columns[52]).toBe("");
});

test("a row of the CSV", () => {
  // The last four columns of this row are those of Yahoo.
  const values = `${ROW.split(",").slice(0, 48).join(",")},y-42,,,,`.split(",");
  expect(values).toHaveLength(53);
  const record = Object.fromEntries((firebase.csvColumns ?? []).map((name, index) => [name, values[index]]));
  const user = readUser(firebase, record, OPTIONS);
  expect(user).toEqual({
    sourceId: "uid1",
    displayName: "Ada Lovelace",
    email: "ada@example.com",
    emailVerified: true,
    phone: "+41791234567",
    phoneVerified: true,
    passwordHash: expect.stringMatching(/^\$firescrypt\$/),
    links: [
      { provider: "google.com", externalUserId: "1098", displayName: "ada@gmail.example" },
      { provider: "yahoo.com", externalUserId: "y-42" },
    ],
    inactive: false,
  });
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
});

test("a hash that Firebase has left out is lost, unless the user signs in otherwise", () => {
  expect(lostOf(firebase, { localId: "1", email: "a@example.com" })).toEqual(["password: not in the export"]);
  const google = [{ providerId: "google.com", rawId: "1" }];
  expect(lostOf(firebase, { localId: "1", email: "a@example.com", providerUserInfo: google })).toEqual([]);
  expect(lostOf(firebase, { localId: "1", phoneNumber: "+41791234567" })).toEqual([]);
});

test("a hash is lost without the parameters of the project, without a salt, and if the emulator has written it", () => {
  const record = { localId: "1", email: "a@example.com", passwordHash: HASH, salt: SALT.toString("base64") };
  expect(lostOf(firebase, record)).toEqual([
    "password: requires the hash parameters of the project (--signer-key and others)",
  ]);
  const reason = ["password: not a hash of Firebase's scrypt"];
  expect(lostOf(firebase, { ...record, salt: "" }, OPTIONS)).toEqual(reason);
  expect(lostOf(firebase, { ...record, passwordHash: "fakeHash:salt=fakeSalt:password=secret" }, OPTIONS)).toEqual(
    reason,
  );
});

test("anonymous users are left out", () => {
  expect(convert(firebase, { localId: "1", createdAt: "1" })).toEqual({
    kind: "skipped",
    sourceId: "1",
    reason: "anonymous user",
  });
});

test("second factors are lost", () => {
  const mfaInfo = [{ phoneInfo: "+41791234567" }, { totpInfo: {} }];
  expect(lostOf(firebase, { localId: "1", phoneNumber: "+41791234567", mfaInfo })).toEqual([
    "second factor by SMS",
    "one-time codes: not in the export",
  ]);
});
