import { hashSync } from "bcryptjs";
import { parsePasswordHash } from "../../src/passwords/modular-crypt-format.ts";
import { hashNewPassword, isCurrentHash } from "../../src/passwords/new-hash.ts";
import { createVerifier } from "../../src/passwords/verifier.ts";
import { VECTORS } from "./vectors.ts";

const BCRYPT = { scheme: "bcrypt", cost: 4 } as const;
const ARGON2ID = { scheme: "argon2id", cost: 12 } as const;
const SETTINGS = [BCRYPT, ARGON2ID];
const LONG = `${"0123456789ab".repeat(6)}x`;

const hashOf = (madeBy: string) => VECTORS.find((vector) => vector.madeBy.includes(madeBy))?.hash ?? "";

test.each(SETTINGS)("a new hash imports, verifies, and is current: %j", (settings) => {
  const hash = hashNewPassword(settings, "correct horse");
  const parsed = parsePasswordHash(hash);
  if (!parsed.ok) throw new Error(parsed.problem);
  expect(isCurrentHash(settings, parsed.hash)).toBe(true);
  const verify = createVerifier(settings);
  expect(verify("correct horse", hash)).toEqual({ matches: true, needsRehash: false });
  expect(verify("correct horsf", hash)).toEqual({ matches: false, needsRehash: false });
  expect(hashNewPassword(settings, "correct horse")).not.toBe(hash);
});

test("argon2id has the costs that OWASP recommends", () => {
  expect(hashNewPassword(ARGON2ID, "correct horse")).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
  );
});

test.each([
  ["bcrypt with another cost", BCRYPT, hashSync("correct horse", 5)],
  ["bcrypt where argon2id is configured", ARGON2ID, hashSync("correct horse", 4)],
  ["argon2id with less memory", ARGON2ID, hashOf("PASSWORD_ARGON2ID")],
  ["argon2id where bcrypt is configured", BCRYPT, hashOf("PASSWORD_ARGON2ID")],
  ["PBKDF2", BCRYPT, hashOf("pbkdf2_sha256.using")],
  ["WordPress", BCRYPT, hashOf("wp_hash_password")],
])("a correct password is to be rehashed: %s", (_what, settings, hash) => {
  const verify = createVerifier(settings);
  expect(verify("correct horse", hash)).toEqual({ matches: true, needsRehash: true });
  expect(verify("wrong horse", hash)).toEqual({ matches: false, needsRehash: false });
});

test.each(["2a", "2b", "2y"])("a hash with $%s$ and the configured cost is current", (version) => {
  const hash = hashSync("correct horse", 4).replace("$2b$", `$${version}$`);
  expect(createVerifier(BCRYPT)("correct horse", hash)).toEqual({ matches: true, needsRehash: false });
});

test("a password that new hashes would truncate, or that the stored hash has truncated, is not hashed again", () => {
  const pbkdf2 = VECTORS.find(({ madeBy, password }) => madeBy.startsWith("passlib: pbkdf2") && password.length > 72);
  const long = pbkdf2?.password ?? "";
  expect(createVerifier(BCRYPT)(long, pbkdf2?.hash ?? "")).toEqual({ matches: true, needsRehash: false });
  expect(createVerifier(ARGON2ID)(long, pbkdf2?.hash ?? "")).toEqual({ matches: true, needsRehash: true });
  expect(createVerifier(ARGON2ID)(LONG, hashSync(LONG, 4))).toEqual({ matches: true, needsRehash: false });
});

test.each([
  ["no hash", "correct horse", null],
  ["an empty password", "", VECTORS.find(({ password }) => password === "")?.hash ?? ""],
  ["a password with U+0000", "correct\0horse", hashSync("correct", 4)],
  ["a password of 513 bytes", "a".repeat(513), hashSync("a".repeat(513), 4)],
  ["a password that is not Unicode", "\ud800", hashSync("\ufffd", 4)],
  ["a hash that is none", "correct horse", "correct horse"],
])("nothing matches %s", (_what, password, hash) => {
  expect(createVerifier(BCRYPT)(password, hash)).toEqual({ matches: false, needsRehash: false });
});

test.each([
  ["composed", "Zürich-Straße 1", "NFC", "NFD"],
  ["decomposed", "Zürich-Straße 1", "NFD", "NFC"],
] as const)(
  "a %s password matches in the other Unicode form, and no similar one does",
  (_form, text, stored, entered) => {
    const verify = createVerifier(BCRYPT);
    const hash = hashNewPassword(BCRYPT, text.normalize(stored));
    expect(verify(text.normalize(entered), hash)).toEqual({ matches: true, needsRehash: false });
    expect(verify(text.normalize(stored), hash)).toEqual({ matches: true, needsRehash: false });
    expect(verify("Zurich-Strasse 1", hash)).toEqual({ matches: false, needsRehash: false });
    expect(verify("Zürich–Straße 2".normalize(entered), hash)).toEqual({ matches: false, needsRehash: false });
  },
);

test.each([{ scheme: "bcrypt", cost: 8 } as const, ARGON2ID])(
  "every outcome takes the same CPU time: %j",
  (settings) => {
    const verify = createVerifier(settings);
    const current = hashNewPassword(settings, "correct horse");
    const accented = hashNewPassword(settings, "correct hörse");
    const matching = () => verify("correct horse", current);
    const matchingAccented = () => verify("correct hörse", accented);
    const outcomes: Record<string, () => unknown> = {
      "not matching": () => verify("wrong horse", current),
      "of nobody": () => verify("correct horse", null),
      empty: () => verify("", current),
      "of a cheap hash": () => verify("correct horse", hashOf("ldap_salted_sha256")),
      "of a hash half as expensive": () => verify("correct horse", halfAsExpensive),
    };
    const halfAsExpensive =
      settings.scheme === "bcrypt"
        ? hashSync("correct horse", settings.cost - 1)
        : `$argon2id$v=19$m=9728,t=2,p=1$c29tZXNhbHQ$${"A".repeat(43)}`;
    const ofTwoForms: Record<string, () => unknown> = {
      "two forms, not matching": () => verify("wrong hörse", current),
      "two forms, the other one matching": () => verify("correct hörse".normalize("NFD"), accented),
      "two forms, of nobody": () => verify("correct hörse", null),
      "two forms, of a cheap hash": () => verify("correct hörse", hashOf("ldap_salted_sha256")),
    };
    matching();
    // Each outcome is compared with a matching password before and after it, because other load on the machine makes the
    // same work take up to 1.6 times as much CPU time for a while. Measured alone, the medians of 200 runs differ by less
    // than 5 %.
    const compared = [
      ...Object.entries(outcomes).map((outcome) => [...outcome, matching] as const),
      ...Object.entries(ofTwoForms).map((outcome) => [...outcome, matchingAccented] as const),
    ];
    const ratios = new Map(compared.map(([name]) => [name, [] as number[]]));
    const unequal = () =>
      [...ratios]
        .map(([name, values]) => [name, medianOf(values)] as const)
        .filter(([_name, ratio]) => ratio < 0.75 || ratio > 1.35);
    for (let round = 0; round < 3 || (round < 50 && unequal().length > 0); round++) {
      for (const [name, run, usual] of compared) {
        const [before, time, after] = [cpuTimeOf(usual), cpuTimeOf(run), cpuTimeOf(usual)];
        ratios.get(name)?.push((2 * time) / (before + after));
      }
    }
    expect(unequal()).toEqual([]);
  },
);

/** In µs. */
function cpuTimeOf(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}
