import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { decodeBase32, encodeBase32 } from "../../src/sign-in/code/base32.ts";
import { createRecoveryCodes, hashRecoveryCode, RECOVERY_CODES } from "../../src/sign-in/code/recovery-codes.ts";
import {
  codeOfStep,
  findStep,
  parseTotpSecret,
  stepAt,
  TOTP_DEFAULTS,
  type TotpSecret,
  totpUri,
} from "../../src/sign-in/code/totp.ts";
import { macRecoveryCode } from "../../src/users/recovery-code-mac.ts";
import { cpuMsOf, MAX_MS } from "../support/cpu-time.ts";

const KEY = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const SHA1: TotpSecret = { key: Buffer.from("12345678901234567890"), ...TOTP_DEFAULTS };
/** The length of the longest text in a form. */
const LARGEST_FORM = 64 * 1_024;
const at = (seconds: number) => new Date(seconds * 1_000);

describe("base32", () => {
  test.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("%j is %j (RFC 4648, section 10)", (text, encoded) => {
    expect(encodeBase32(Buffer.from(text))).toBe(encoded);
    expect(decodeBase32(encoded)?.toString()).toBe(text);
  });

  test("case, white space, dashes and padding do not matter", () => {
    expect(decodeBase32(" mzxw-6ytb\noi====== ")?.toString()).toBe("foobar");
  });

  test.each(["M", "MZX", "MZXW6Y", "MZXW1", "MZ=XW", "é"])("%j is not base32", (text) => {
    expect(decodeBase32(text)).toBeUndefined();
  });

  test(`a long text with padding within takes at most ${MAX_MS} ms`, async () => {
    const text = `${"=".repeat(LARGEST_FORM)}x`;
    expect(decodeBase32(text)).toBeUndefined();
    expect(await cpuMsOf(() => decodeBase32(text))).toBeLessThanOrEqual(MAX_MS);
  });

  test("random bytes survive", () => {
    for (let length = 0; length < 64; length++) {
      const bytes = randomBytes(length);
      expect(decodeBase32(encodeBase32(bytes))).toEqual(bytes);
    }
  });
});

describe("one-time codes", () => {
  /** RFC 6238, appendix B. */
  test.each([
    [59, "94287082", "46119246", "90693936"],
    [1_111_111_109, "07081804", "68084774", "25091201"],
    [1_111_111_111, "14050471", "67062674", "99943326"],
    [1_234_567_890, "89005924", "91819424", "93441116"],
    [2_000_000_000, "69279037", "90698825", "38618901"],
    [20_000_000_000, "65353130", "77737706", "47863826"],
  ])("are those of RFC 6238 at %d s", (seconds, sha1, sha256, sha512) => {
    const text = "1234567890".repeat(7);
    const cases = [
      { algorithm: "sha1", key: text.slice(0, 20), code: sha1 },
      { algorithm: "sha256", key: text.slice(0, 32), code: sha256 },
      { algorithm: "sha512", key: text.slice(0, 64), code: sha512 },
    ] as const;
    for (const { algorithm, key, code } of cases) {
      const secret = { key: Buffer.from(key), algorithm, digits: 8, periodSeconds: 30 };
      expect(codeOfStep(secret, stepAt(secret, at(seconds)))).toBe(code);
    }
  });

  const hasOathtool = spawnSync("oathtool", ["--version"]).status === 0;
  (hasOathtool ? test : test.skip)(
    hasOathtool ? "are those of oathtool" : "are those of oathtool: skipped, because it is not installed",
    () => {
      for (const [algorithm, digits, periodSeconds] of [
        ["sha1", 6, 30],
        ["sha1", 8, 60],
        ["sha256", 6, 30],
        ["sha512", 7, 45],
      ] as const) {
        const key = randomBytes(20);
        const now = Math.floor(Math.random() * 4e9);
        const options = [`--totp=${algorithm}`, `--digits=${digits}`, `--time-step-size=${periodSeconds}s`];
        const { stdout } = spawnSync("oathtool", [...options, `--now=@${now}`, "--base32", encodeBase32(key)]);
        const secret = { key, algorithm, digits, periodSeconds };
        expect([algorithm, codeOfStep(secret, stepAt(secret, at(now)))]).toEqual([algorithm, String(stdout).trim()]);
      }
    },
  );

  test("are accepted one step before and after, but not two", () => {
    const now = at(1_000_000_000);
    const present = stepAt(SHA1, now);
    const accepted = [-2n, -1n, 0n, 1n, 2n].filter(
      (drift) => findStep(SHA1, codeOfStep(SHA1, present + drift), now, null) === present + drift,
    );
    expect(accepted).toEqual([-1n, 0n, 1n]);
  });

  test("are not accepted for a step that was used, or an earlier one", () => {
    const now = at(1_000_000_000);
    const present = stepAt(SHA1, now);
    for (const step of [present - 1n, present]) {
      expect(findStep(SHA1, codeOfStep(SHA1, step), now, present)).toBeUndefined();
    }
    expect(findStep(SHA1, codeOfStep(SHA1, present + 1n), now, present)).toBe(present + 1n);
  });

  test.each(["", "1", "12345", "1234567", "abcdef", "１２３４５６"])("%j is none", (code) => {
    expect(findStep(SHA1, code, at(1_000_000_000), null)).toBeUndefined();
  });
});

describe("a stored secret", () => {
  test.each<[string, Omit<TotpSecret, "key">]>([
    [KEY, TOTP_DEFAULTS],
    [" gezd gnbv gy3t qojq gezd gnbv gy3t qojq ", TOTP_DEFAULTS],
    [`otpauth://totp/Ada?secret=${KEY}`, TOTP_DEFAULTS],
    [`OTPAUTH://TOTP/Acme:ada@example.com?secret=${KEY.toLowerCase()}&issuer=Acme`, TOTP_DEFAULTS],
    [
      `otpauth://totp/A%20B:ada?algorithm=SHA256&digits=8&period=60&secret=${KEY}`,
      { algorithm: "sha256", digits: 8, periodSeconds: 60 },
    ],
    [`otpauth://totp/ada?secret=${KEY}&algorithm=sha-512`, { algorithm: "sha512", digits: 6, periodSeconds: 30 }],
  ])("is read from %j", (text, parameters) => {
    expect(parseTotpSecret(text)).toEqual({ key: SHA1.key, ...parameters });
  });

  test.each([
    "",
    "123456",
    "otp-of-ada",
    "MZXW6YTBOJ",
    KEY.slice(0, 8),
    `${KEY}1`,
    `otpauth://hotp/ada?secret=${KEY}&counter=1`,
    "otpauth://totp/ada",
    "otpauth://totp/ada?secret=MZXW6",
    `otpauth://totp/ada?secret=${KEY}&algorithm=MD5`,
    `otpauth://totp/ada?secret=${KEY}&algorithm=__proto__`,
    `otpauth://totp/ada?secret=${KEY}&digits=5`,
    `otpauth://totp/ada?secret=${KEY}&digits=six`,
    `otpauth://totp/ada?secret=${KEY}&period=0`,
    `otpauth://totp/ada?secret=${KEY}&period=-30`,
    `https://totp/ada?secret=${KEY}`,
  ])("%j is none", (text) => {
    expect(parseTotpSecret(text)).toBeUndefined();
  });

  test("has at least ten bytes", () => {
    expect(parseTotpSecret(encodeBase32(Buffer.alloc(10, 7)))).toBeDefined();
    expect(parseTotpSecret(encodeBase32(Buffer.alloc(9, 7)))).toBeUndefined();
  });

  test("survives the URI for authenticator apps", () => {
    const uri = totpUri(KEY, { issuer: "Acme: Shop", account: "ada lovelace@example.com" });
    expect(uri).toMatch(/^otpauth:\/\/totp\/Acme%20Shop:ada%20lovelace%40example\.com\?/);
    expect(parseTotpSecret(uri)).toEqual(SHA1);
  });
});

describe("recovery codes", () => {
  const SECRET = "JBSWY3DPEHPK3PXP";
  /** Of an earlier version. */
  const EARLIER = "ABCD-EFGH-IJKL-MNOP-QRST-UV23";

  test("are ten different ones of 50 bits, in two groups", () => {
    const codes = createRecoveryCodes();
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
  });

  test.each([
    [createRecoveryCodes()[0] ?? "", (text: string) => macRecoveryCode(SECRET, text)],
    [EARLIER, hashRecoveryCode],
  ])("%j is recognized whatever its case, spaces and dashes", (code, toHash) => {
    expect(toHash(code)).toBeInstanceOf(Buffer);
    for (const text of [code.toLowerCase(), code.replaceAll("-", ""), ` ${code.replaceAll("-", " ")} `]) {
      expect(toHash(text)).toEqual(toHash(code));
    }
  });

  test.each(["", "123456", "ABCD", `${"A".repeat(32)}`, "é"])("%j is none of an earlier version", (text) => {
    expect(hashRecoveryCode(text)).toBeUndefined();
  });

  test("a longer text than any that is entered is none", () => {
    expect(hashRecoveryCode(EARLIER.padEnd(100))).toBeDefined();
    expect(hashRecoveryCode(EARLIER.padEnd(101))).toBeUndefined();
  });
});
