import { decodeBase64, decodeHex, encodeBase64, encodeBase64Url } from "../../../src/fields/bytes.ts";
import { readFields } from "../../../src/moving/sources/fields.ts";
import { toMetadata } from "../../../src/moving/sources/metadata.ts";
import { parseOtp, toOtp, toRecoveryCodes } from "../../../src/moving/sources/one-time-code.ts";
import { toPasswordHash } from "../../../src/moving/sources/password-hash.ts";
import { toLanguage } from "../../../src/moving/sources/profile.ts";
import { SOURCES } from "../../../src/moving/sources.ts";
import { parsePasswordHash } from "../../../src/passwords/modular-crypt-format.ts";
import { parseTotpSecret } from "../../../src/sign-in/code/totp.ts";
import { REAL_HASHES } from "../../passwords/real-hashes.ts";
import { VECTORS } from "../../passwords/vectors.ts";
import { convert } from "./read.ts";

test("every source has its name", () => {
  expect(Object.keys(SOURCES)).toEqual([
    ...["auth0", "keycloak", "zitadel", "kratos", "firebase", "cognito", "better-auth", "supabase", "clerk", "workos"],
    ...["okta", "entra", "fusionauth", "logto", "ldif", "csv", "signet"],
  ]);
});

const ODD_RECORDS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { id: null, email: "" },
  { id: {}, user_id: [], localId: true, Username: {}, email: 1, Attributes: "x", users: {} },
  {
    id: "1",
    user: "x",
    attributes: 5,
    credentials: [null, 1, "x"],
    traits: [],
    identities: "{",
    raw_user_meta_data: "[",
  },
  { id: "1", email: { toString: null }, constructor: "x", credentials: [{ type: "password" }] },
];

test.each(Object.values(SOURCES))("$name throws for no record", (source) => {
  for (const record of ODD_RECORDS) {
    expect(["user", "skipped", "refused"]).toContain(convert(source, record).kind);
    expect(() => source.secondFile?.(record)).not.toThrow();
  }
});

test.each(Object.values(SOURCES))("$name refuses a record without an id, and says so", (source) => {
  // Signet's own format has no fields but its own.
  const record = source.name === "signet" ? {} : { user: { profile: {} }, traits: {} };
  const converted = convert(source, record);
  // A user without any address is anonymous in Firebase.
  if (source.name === "firebase") expect(converted).toEqual({ kind: "skipped", reason: "anonymous user" });
  else
    expect(converted).toMatchObject({ kind: "refused", problems: [{ description: "must have the id of the user" }] });
});

test("null and empty text are absent, and of several names the first with a value is read", () => {
  const fields = readFields({ a: null, b: "", c: "x", d: 7 });
  expect(fields.text("a", "b", "c")).toBe("x");
  expect(fields.text("a")).toBeUndefined();
  expect(fields.text("d")).toBe("7");
  expect(fields.text("toString")).toBeUndefined();
  expect(fields.problems).toEqual([]);
});

test.each([
  [true, true],
  ["true", true],
  ["TRUE", true],
  ["t", true],
  [1, true],
  ["0", false],
  ["f", false],
  [false, false],
])("the flag %j is %j", (value, expected) => {
  expect(readFields({ value }).flag("value")).toBe(expected);
});

test("problems name the field with its path, also in JSON text", () => {
  const fields = readFields({ a: '[{"b": {}}]', c: "maybe", d: { e: [] } });
  fields.objects("a")[0]?.text("b");
  fields.flag("c");
  fields.object("d")?.text("e");
  fields.texts("c");
  expect(fields.problems).toEqual([
    { field: "a[0].b", description: "must be text" },
    { field: "c", description: "must be true or false" },
    { field: "d.e", description: "must be text" },
    { field: "c", description: "must be a list of texts" },
  ]);
});

test("base64 is read with and without padding, and written canonically", () => {
  const bytes = Uint8Array.of(0xfb, 0xff);
  expect(decodeBase64("+/8=")).toEqual(bytes);
  expect(decodeBase64("-_8")).toEqual(bytes);
  // The unused bits of the last character are set.
  expect(encodeBase64(decodeBase64("+/9") ?? Uint8Array.of())).toBe("+/8=");
  expect(encodeBase64Url(bytes)).toBe("-_8");
  expect([decodeBase64("a"), decodeBase64("a b="), decodeBase64("====")]).toEqual([undefined, undefined, undefined]);
  expect([decodeHex("fbFF"), decodeHex("fb f"), decodeHex("f")]).toEqual([bytes, undefined, undefined]);
});

test("every hash that Signet accepts is kept", () => {
  const hashes = [...Object.values(REAL_HASHES), ...VECTORS.map((vector) => vector.hash)];
  for (const hash of hashes) expect(toPasswordHash(hash, [])).toBe(hash);
});

test("a hash is kept only if Signet has a scheme for it", () => {
  const values = [
    "$2x$10$a",
    "$y$j9T$a$b",
    "{noop}secret",
    "{sha256}97cde38028ad898e",
    "{PBKDF2_SHA256}AAAIAG",
    "$unknown$a",
    "{SHA}YQ==",
    "{MD5}YQ==",
    "md5$salt$hash",
    "plain",
    "5f4dcc3b5aa765d61d8327deb882cf99",
  ];
  for (const value of values) {
    const lost: string[] = [];
    const kept = toPasswordHash(value, lost);
    const parsed = parsePasswordHash(value);
    expect(parsed.ok).toBe(false);
    const isKnown = !parsed.ok && !/supported scheme/.test(parsed.problem);
    expect(kept !== undefined).toBe(isKnown);
    expect(lost.length).toBe(isKnown ? 0 : 1);
  }
});

test("the reason against a hash contains nothing of it", () => {
  const lost: string[] = [];
  toPasswordHash("5f4dcc3b5aa765d61d8327deb882cf99", lost);
  toPasswordHash("$secret-scheme$c2FsdA$aGFzaA", lost);
  toPasswordHash("c2FsdA.aGFzaA", lost);
  expect(lost).toEqual([
    "password: unsalted MD5",
    "password: the scheme $secret-scheme$ is not supported",
    "password: a hash of an unknown scheme",
  ]);
});

test("what Django and crypt(3) store for somebody without a password is no hash, and not lost", () => {
  const lost: string[] = [];
  const values = [`!${"aB1".repeat(13)}c`, "!", "!!", "*"];
  expect(values.map((value) => toPasswordHash(value, lost))).toEqual(values.map(() => undefined));
  expect(lost).toEqual([]);
});

const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test("secrets of one-time codes are base32, or a URI with what is unusual", () => {
  const lost: string[] = [];
  expect(toOtp({ secret: ` ${SECRET.toLowerCase()} ` }, lost)).toBe(SECRET);
  const uri = toOtp({ secret: SECRET, algorithm: "HmacSHA512", digits: 8, periodSeconds: 60 }, lost);
  expect(parseTotpSecret(uri ?? "")).toEqual({
    key: Buffer.from("12345678901234567890"),
    algorithm: "sha512",
    digits: 8,
    periodSeconds: 60,
  });
  expect(parseOtp(`otpauth://totp/App:a@example.com?secret=${SECRET}&digits=6&period=30&algorithm=SHA1`, lost)).toBe(
    SECRET,
  );
  expect(lost).toEqual([]);
});

test.each([
  [{ secret: "not base32!" }, "one-time codes: the secret is not base32"],
  [{ secret: "GEZDGNBV" }, "one-time codes: the secret has fewer than 10 bytes"],
  [{ secret: SECRET, algorithm: "HmacMD5" }, "one-time codes: the algorithm is not supported"],
  [{ secret: SECRET, digits: 4 }, "one-time codes: the number of digits is not supported"],
  [{ secret: SECRET, periodSeconds: 3_600 }, "one-time codes: the period is not supported"],
])("one-time codes that Signet cannot verify are lost: %j", (parameters, reason) => {
  const lost: string[] = [];
  expect(toOtp(parameters, lost)).toBeUndefined();
  expect(lost).toEqual([reason]);
});

test("a URI with broken parameters is lost", () => {
  const lost: string[] = [];
  expect(parseOtp(`otpauth://totp/a?secret=${SECRET}&digits=x`, lost)).toBeUndefined();
  expect(parseOtp("otpauth://totp/a", lost)).toBeUndefined();
  expect(lost).toEqual([
    "one-time codes: the number of digits is not supported",
    "one-time codes: the secret has fewer than 10 bytes",
  ]);
});

test("one-time codes by counter are lost", () => {
  const lost: string[] = [];
  expect(parseOtp(`otpauth://hotp/a?secret=${SECRET}&counter=1`, lost)).toBeUndefined();
  expect(lost).toEqual(["one-time codes: by counter"]);
});

test("recovery codes come across with one-time codes, if an import takes them", () => {
  const lost: string[] = [];
  expect(toRecoveryCodes(["abcd-1234", "abcd-1234", "short", "ab cd ef gh"], SECRET, lost)).toEqual([
    "abcd-1234",
    "ab cd ef gh",
  ]);
  expect(toRecoveryCodes(["abcd-1234"], undefined, lost)).toEqual([]);
  expect(toRecoveryCodes([], undefined, lost)).toEqual([]);
  expect(lost).toEqual([
    "recovery codes: some do not have 8 to 64 letters and digits",
    "recovery codes: the user has no one-time codes",
  ]);
});

test("metadata has text as it is and the rest as JSON, within the limits of an import", () => {
  const lost: string[] = [];
  const long = "é".repeat(1_001);
  expect(toMetadata(Object.entries({ plan: "pro", seats: 3, tags: ["a"], none: null, empty: "", long }), lost)).toEqual(
    {
      plan: "pro",
      seats: "3",
      tags: '["a"]',
    },
  );
  expect(lost).toEqual(["metadata long: too long"]);
  const many = Array.from({ length: 60 }, (_, index) => [`key${index}`, "x"] as const);
  expect(Object.keys(toMetadata(many, lost))).toHaveLength(49);
  expect(lost.at(-1)).toBe("metadata: more than 49 values");
});

test.each([
  ["de", "de"],
  ["en_US", "en_US"],
  ["de_CH.UTF-8", "de_CH"],
  ["English", undefined],
  ["zh-Hant-TW-x-private", undefined],
])("the locale %s is the language %s", (locale, language) => {
  const lost: string[] = [];
  expect(toLanguage(locale, lost)).toBe(language);
  expect(lost).toEqual(language === undefined ? ["language"] : []);
});
