import { pbkdf2Sync, scryptSync } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { hashSync } from "bcryptjs";
import { describeHashProblem } from "../../src/passwords/password-hash.ts";

/** Hashes of "correct horse" unless told otherwise, each written by the software named. */
const REAL = {
  "bcrypt of OpenBSD's format, cost 4 (libxcrypt)": "$2a$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW",
  "bcrypt of PHP (libxcrypt)": "$2y$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW",
  "bcrypt (bcryptjs)": hashSync("correct horse", 4),
  "argon2id (reference implementation)":
    "$argon2id$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$maZdmwIUgTYBnCEBqUxKzqa6SC3styEgxWH95xFV4wE",
  "argon2i (reference implementation)":
    "$argon2i$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$3P+fM3dyx5HtLaW0uAvPX9c3akKldJNi0bp3LB2Mbx0",
  "argon2d (reference implementation)":
    "$argon2d$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$o6BbmVJRWBbmGBY733udK0vGOtjNZlE4SLeAncid8QA",
  "argon2i, version 16": "$argon2i$v=16$m=1024,t=2,p=2$c29tZXNhbHQ$Yyub5qR54UIPLBXYoJSy4Q",
  "argon2id of the reference implementation's tests (password)":
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
  "argon2i without a version, of the same (password)":
    "$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ",
  "scrypt (passlib)": "$scrypt$ln=10,r=8,p=1$++++MDEyMzQ1Njc4OWFiYw$GWOPFWC5jZbBAlVYoq6gpEuui5v2YD+sho8eVBn1Y0M",
  "scrypt (Node)": `$scrypt$ln=10,r=8,p=2$${base64("0123456789")}$${base64(scryptSync("correct horse", "0123456789", 64, { N: 1024, p: 2 }))}`,
  "$7$ (libxcrypt)": "$7$CU..../..........................$vuTDUGsz/kEsUHiSbsogBgapcMB8mQCvk4vBAYzIG0C",
  "$7$ of the format's own description (pleaseletmein)":
    "$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D",
  "PBKDF2 of SHA-1 (passlib)": "$pbkdf2$1000$....MDEyMzQ1Njc4OWFiYw$JlsUpYCe65bAu5sLF/ybj0GIxTk",
  "PBKDF2 of SHA-256 (passlib)":
    "$pbkdf2-sha256$1000$....MDEyMzQ1Njc4OWFiYw$NZfc2L7sE5ZosGynQSLWqB7J5NWdZJ6T/jlJu00Y07w",
  "PBKDF2 of SHA-512 (passlib)":
    "$pbkdf2-sha512$1000$....MDEyMzQ1Njc4OWFiYw$NZJn50BlwVXZ/bsnaVlRFbpmn9ZtUi.ur270oRMAYbBfqmwwmhEtjk3fc8WLhpfsvQkZD03mREBiTRMmi6tG5g",
  "PBKDF2 of SHA-1, named (Node)": `$pbkdf2-sha1$1000$${base64("salt")}$${pbkdf2("sha1", 20)}`,
  "PBKDF2 of SHA-224 (Node)": `$pbkdf2-sha224$1000$${base64("salt")}$${pbkdf2("sha224", 28)}`,
  "PBKDF2 of SHA-384 (Node)": `$pbkdf2-sha384$1000$${base64("salt")}$${pbkdf2("sha384", 48)}`,
  "PBKDF2 in PHC form (Node)": `$pbkdf2-sha256$i=600000,l=32$${base64("salt")}$${pbkdf2("sha256", 32)}`,
  "PBKDF2 in PHC form without a length (Node)": `$pbkdf2-sha512$i=25000$${base64("salt")}$${pbkdf2("sha512", 64)}`,
  "SHA-256-crypt (openssl)": "$5$saltstring$vc6YOOogU4kWVvwga8e9zTFgKcy4tb5LaPxIiPJzqEC",
  "SHA-256-crypt, fewest rounds (libxcrypt)": "$5$rounds=1000$salt$qOfjCda6YN/JiGzcA4MkoJaIXdhJzf.qd.KJPQZ7TA/",
  "SHA-512-crypt, longest salt (libxcrypt)":
    "$6$rounds=10000$saltsaltsaltsalt$YymDQcDiPAPffG37wC0ejpCZb/xQsJhGY1cHJm2zkZSqidwOudukvGlotbMGQxkhtPRs0ZAbTYxJp96xB5KQ91",
  "SHA-512-crypt, shortest salt (passlib)":
    "$6$rounds=656000$a$r4gmhlcx/5dpjVL93c6J6cvbkLxL.BMAe0T5zYRc21ePP1HxqCW1uCrJ6q7SWfVCDwKMLLKlpcIVwFeO0QSCy1",
  "MD5-crypt (openssl)": "$1$abcdefgh$y6iHhJNbuC0xpbk0w9pm80",
  "MD5-crypt, shortest salt (libxcrypt)": "$1$a$6B22QzZd2o90NQAIVNfPu/",
  "MD5-crypt of Apache (openssl)": "$apr1$abcdefgh$sIQmFnT1CuEXAsyjuXjUX/",
  "phpass (passlib)": "$P$5abcdefghAwHMLXeh48xCQuy..94JO/",
  "phpass of phpBB (passlib)": "$H$6abcdefghRJFCMvnAbZH2hCiFPRxpk.",
  "phpass of its own tests (test12345)": "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0",
} as const;

test.each(Object.entries(REAL))("%s is accepted", (_name, hash) => {
  expect(describeHashProblem(hash)).toBeUndefined();
});

test.each(Object.entries(REAL))("%s is refused with something before, after or within it", (_name, hash) => {
  for (const broken of [
    ` ${hash}`,
    `${hash}\n`,
    `${hash}$`,
    `${hash}=`,
    `${hash.slice(0, -3)}*${hash.slice(-2)}`,
    hash.slice(1),
  ]) {
    expect([broken, describeHashProblem(broken)]).toEqual([broken, expect.stringMatching(/^must /)]);
  }
});

// The others leave the length of the hash open.
const FIXED = Object.entries(REAL).filter(([, hash]) => /^\$(?:2[aby]|[1567PH]|apr1)\$/.test(hash));

test.each(FIXED)("%s is refused with one character less or more", (_name, hash) => {
  for (const broken of [hash.slice(0, -1), `${hash}.`]) {
    expect([broken, describeHashProblem(broken)]).toEqual([broken, expect.stringMatching(/^must be a complete /)]);
  }
});

// With bits set that belong to no byte: no real hash ends like that.
test.each([
  ["bcrypt", `$2b$10$${"a".repeat(21)}u${"a".repeat(30)}`, ".CGKOSWaeimquy26", 64],
  ["SHA-256-crypt", `$5$salt$${"a".repeat(42)}`, "./0123456789ABCD", 64],
  ["SHA-512-crypt", `$6$salt$${"a".repeat(85)}`, "./01", 64],
  ["MD5-crypt", `$1$salt$${"a".repeat(21)}`, "./01", 64],
  ["phpass", `$P$Bsaltsalt${"a".repeat(21)}`, "./01", 64],
  ["$7$", `$7$C6..../....salt$${"a".repeat(42)}`, "./0123456789ABCD", 64],
  ["argon2 of 32 bytes", `$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$${"a".repeat(42)}`, "AEIMQUYcgkosw048", 64],
  ["argon2 of 16 bytes", `$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$${"a".repeat(21)}`, "AQgw", 64],
])("the last character of %s is one that a real hash can end with", (_name, start, endings) => {
  const alphabet = [..."./+0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
  const accepted = alphabet.filter((last) => describeHashProblem(start + last) === undefined);
  expect(accepted.sort()).toEqual([...endings].sort());
});

test("the last character of bcrypt's salt is one of four", () => {
  const alphabet = [..."./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
  const hash = (last: string) => `$2b$10$${"a".repeat(21)}${last}${"a".repeat(31)}`;
  expect(alphabet.filter((last) => describeHashProblem(hash(last)) === undefined)).toEqual([".", "O", "e", "u"]);
});

describe("a cost is accepted at each bound and refused one beyond", () => {
  const argon2 = (m: number | string, t: number | string, p: number | string) =>
    `$argon2id$v=19$m=${m},t=${t},p=${p}$c29tZXNhbHQ$${"A".repeat(43)}`;
  const scrypt = (ln: number | string, r: number | string, p: number | string) =>
    `$scrypt$ln=${ln},r=${r},p=${p}$c29tZXNhbHQ$${"A".repeat(43)}`;
  const crypt7 = (ln: string, r: string, p: string) => `$7$${ln}${r}${p}salt$${"A".repeat(43)}`;
  const bcrypt = (cost: string) => `$2b$${cost}$${".".repeat(53)}`;
  const passlib = (iterations: number | string) => `$pbkdf2-sha256$${iterations}$c29tZXNhbHQ$${"A".repeat(43)}`;
  const shaCrypt = (rounds: number | string) => `$6$rounds=${rounds}$salt$${".".repeat(86)}`;
  const phpass = (cost: string) => `$P$${cost}saltsalt${".".repeat(22)}`;

  test.each([
    ["bcrypt cost 4", bcrypt("04"), bcrypt("03"), /bcrypt cost from 4 to 16/],
    ["bcrypt cost 16", bcrypt("16"), bcrypt("17"), /bcrypt cost from 4 to 16/],
    ["8 KiB of argon2", argon2(8, 1, 1), argon2(7, 1, 1), /argon2 memory .* from 8 to 1,048,576/],
    ["1 GiB of argon2", argon2(1_048_576, 1, 1), argon2(1_048_577, 1, 1), /argon2 memory .* from 8 to 1,048,576/],
    ["1 pass of argon2", argon2(8, 1, 1), argon2(8, 0, 1), /passes \(t\) from 1 to 1,000/],
    ["1,000 passes of argon2", argon2(8, 1000, 1), argon2(8, 1001, 1), /passes \(t\) from 1 to 1,000/],
    ["1 lane of argon2", argon2(8, 1, 1), argon2(8, 1, 0), /lanes \(p\) from 1 to 64/],
    ["64 lanes of argon2", argon2(1024, 1, 64), argon2(1024, 1, 65), /lanes \(p\) from 1 to 64/],
    ["8 KiB a lane", argon2(24, 1, 3), argon2(23, 1, 3), /8 KiB for each lane/],
    ["four passes over 1 GiB", argon2(1_048_576, 4, 1), argon2(1_048_576, 5, 1), /memory .* times passes .* 4,194,304/],
    ["N=2", scrypt(1, 8, 1), scrypt(0, 8, 1), /scrypt cost .* from 1 to 22/],
    ["N=2^22", scrypt(22, 2, 1), scrypt(23, 2, 1), /scrypt cost .* from 1 to 22/],
    ["r=1", scrypt(15, 1, 1), scrypt(15, 0, 1), /block size/],
    ["N below 2^(16r)", scrypt(15, 1, 1), scrypt(16, 1, 1), /2 to the power of 16·r/],
    ["p=1", scrypt(14, 8, 1), scrypt(14, 8, 0), /parallelization/],
    ["1 GiB by N", scrypt(20, 8, 1), scrypt(21, 8, 1), /128·N·r·p of at most 1,073,741,824/],
    ["1 GiB by r", scrypt(20, 8, 1), scrypt(20, 9, 1), /128·N·r·p/],
    ["1 GiB by p", scrypt(14, 8, 64), scrypt(14, 8, 65), /128·N·r·p/],
    ["r of 2^22", scrypt(1, 4_194_304, 1), scrypt(1, 4_194_305, 1), /block size/],
    ["p of 2^22", scrypt(1, 1, 4_194_304), scrypt(1, 1, 4_194_305), /parallelization/],
    ["$7$ of N=2", crypt7("/", "6....", "/...."), crypt7(".", "6....", "/...."), /scrypt cost/],
    ["$7$ of 1 GiB", crypt7("I", "6....", "/...."), crypt7("J", "6....", "/...."), /128·N·r·p/],
    ["$7$ of r=1", crypt7("C", "/....", "/...."), crypt7("C", ".....", "/...."), /block size/],
    ["$7$ of p=1", crypt7("C", "6....", "/...."), crypt7("C", "6....", "....."), /parallelization/],
    ["$7$ of p=64", crypt7("C", "6....", "./..."), crypt7("C", "6....", "//..."), /128·N·r·p/],
    ["1 iteration", passlib(1), passlib(0), /PBKDF2 iterations from 1 to 10,000,000/],
    ["10,000,000 iterations", passlib(10_000_000), passlib(10_000_001), /PBKDF2 iterations from 1/],
    ["1,000 rounds", shaCrypt(1000), shaCrypt(999), /SHA-crypt rounds from 1,000 to 3,000,000/],
    ["3,000,000 rounds", shaCrypt(3_000_000), shaCrypt(3_000_001), /SHA-crypt rounds/],
    ["phpass 7", phpass("5"), phpass("4"), /phpass cost \(log2\) from 7 to 22/],
    ["phpass 22", phpass("K"), phpass("L"), /phpass cost/],
  ])("%s", (_what, accepted, refused, description) => {
    expect(describeHashProblem(accepted)).toBeUndefined();
    expect(describeHashProblem(refused)).toMatch(description);
  });

  test.each([
    ["each further block of PBKDF2", "sha1", 20, 10_000_000],
    ["a second block of SHA-1", "sha1", 21, 5_000_000],
    ["a fourth block of SHA-1", "sha1", 64, 2_500_000],
    ["one block of SHA-512", "sha512", 64, 10_000_000],
    ["a third block of SHA-224", "sha224", 57, 3_333_333],
  ])("%s counts as so many iterations again", (_what, digest, bytes, iterations) => {
    const hash = (count: number) => `$pbkdf2-${digest}$${count}$c29tZXNhbHQ$${base64(new Uint8Array(bytes))}`;
    expect(describeHashProblem(hash(iterations))).toBeUndefined();
    expect(describeHashProblem(hash(iterations + 1))).toMatch(/PBKDF2 iterations/);
  });

  test.each(["01000", "+1000", "1e3", "0x400", "1_000", " 1000", "1000.0", "", "-1000", "９００００"])(
    "%j is no number of rounds",
    (digits) => {
      expect(describeHashProblem(passlib(digits))).toMatch(/^must /);
      expect(describeHashProblem(shaCrypt(digits))).toMatch(/^must /);
      expect(describeHashProblem(argon2(digits, 1, 1))).toMatch(/^must /);
    },
  );

  test.each(["4294968296", "9007199254740993", "18446744073709552616", "9".repeat(350)])(
    "%s does not wrap around to a small number",
    (digits) => {
      expect(describeHashProblem(passlib(digits))).toMatch(/^must have PBKDF2 iterations from/);
      expect(describeHashProblem(shaCrypt(digits))).toMatch(/^must have SHA-crypt rounds from/);
      expect(describeHashProblem(argon2(digits, 1, 1))).toMatch(/^must have argon2 memory/);
      expect(describeHashProblem(argon2(64, digits, 1))).toMatch(/^must have argon2 passes/);
      expect(describeHashProblem(argon2(64, 1, digits))).toMatch(/^must have argon2 lanes/);
      expect(describeHashProblem(scrypt(digits, 8, 1))).toMatch(/^must have a scrypt cost/);
      expect(describeHashProblem(scrypt(14, digits, 1))).toMatch(/^must have a scrypt block size/);
      expect(describeHashProblem(scrypt(14, 8, digits))).toMatch(/^must have a scrypt parallelization/);
    },
  );
});

describe("salt and hash have a length that real ones have", () => {
  const bytes = (length: number) => base64(new Uint8Array(length));
  const argon2 = (salt: number, hash: number) => `$argon2id$v=19$m=64,t=1,p=1$${bytes(salt)}$${bytes(hash)}`;
  const scrypt = (salt: number, hash: number) => `$scrypt$ln=14,r=8,p=1$${bytes(salt)}$${bytes(hash)}`;
  const pbkdf2 = (salt: number, hash: number) => `$pbkdf2-sha512$i=1000$${bytes(salt)}$${bytes(hash)}`;

  test.each([
    ["argon2, shortest salt", argon2(8, 32), argon2(7, 32), /a salt of 8 to 64 bytes/],
    ["argon2, longest salt", argon2(64, 32), argon2(65, 32), /a salt of 8 to 64 bytes/],
    ["argon2, shortest hash", argon2(16, 12), argon2(16, 11), /a hash of 12 to 64 bytes/],
    ["argon2, longest hash", argon2(16, 64), argon2(16, 65), /a hash of 12 to 64 bytes/],
    ["scrypt, shortest salt", scrypt(1, 32), scrypt(0, 32), /complete scrypt hash/],
    ["scrypt, longest salt", scrypt(128, 32), scrypt(129, 32), /a salt of 1 to 128 bytes/],
    ["scrypt, shortest hash", scrypt(16, 16), scrypt(16, 15), /a hash of 16 to 64 bytes/],
    ["scrypt, longest hash", scrypt(16, 64), scrypt(16, 65), /a hash of 16 to 64 bytes/],
    ["PBKDF2, longest salt", pbkdf2(128, 64), pbkdf2(129, 64), /a salt of 1 to 128 bytes/],
    ["PBKDF2, shortest hash", pbkdf2(16, 16), pbkdf2(16, 15), /a hash of 16 to 64 bytes/],
    ["PBKDF2, longest hash", pbkdf2(16, 64), pbkdf2(16, 65), /a hash of 16 to 64 bytes/],
    [
      "SHA-crypt, longest salt",
      `$5$${"s".repeat(16)}$${".".repeat(43)}`,
      `$5$${"s".repeat(17)}$${".".repeat(43)}`,
      /up to 16/,
    ],
    ["SHA-crypt, shortest salt", `$5$s$${".".repeat(43)}`, `$5$$${".".repeat(43)}`, /up to 16/],
    [
      "MD5-crypt, longest salt",
      `$1$${"s".repeat(8)}$${".".repeat(22)}`,
      `$1$${"s".repeat(9)}$${".".repeat(22)}`,
      /up to 8/,
    ],
    [
      "$7$, longest salt",
      `$7$C6..../....${"s".repeat(86)}$${".".repeat(43)}`,
      `$7$C6..../....${"s".repeat(87)}$${".".repeat(43)}`,
      /up to 86/,
    ],
  ])("%s", (_what, accepted, refused, description) => {
    expect(describeHashProblem(accepted)).toBeUndefined();
    expect(describeHashProblem(refused)).toMatch(description);
  });
});

test.each([
  ["another version of argon2", "$argon2id$v=18$m=64,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA"],
  ["another order of parameters", "$argon2id$v=19$t=1,m=64,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA"],
  ["padded base64", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ=$AAAAAAAAAAAAAAAAAAAAAA=="],
  ["base64 of no bytes", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQab$AAAAAAAAAAAAAAAAAAAAAA"],
  ["a length that is not the hash's", "$pbkdf2-sha256$i=1000,l=20$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA"],
  ["both alphabets in one salt", "$pbkdf2-sha256$1000$c29t.XNh+HQA$AAAAAAAAAAAAAAAAAAAAAA"],
  ["a cost of one digit", "$2b$4$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW"],
  ["a setting without a hash", "$6$rounds=5000$saltstring$"],
])("%s is refused", (_what, hash) => {
  expect(describeHashProblem(hash)).toMatch(/^must (?:be a complete|have) /);
});

const SUPPORTED =
  "bcrypt ($2a$ $2b$ $2y$), argon2 ($argon2id$ $argon2i$ $argon2d$), scrypt ($scrypt$ $7$), " +
  "PBKDF2 ($pbkdf2$ $pbkdf2-sha1$ $pbkdf2-sha224$ $pbkdf2-sha256$ $pbkdf2-sha384$ $pbkdf2-sha512$), " +
  "SHA-crypt ($5$ $6$), MD5-crypt ($1$ $apr1$), phpass ($P$ $H$)";

test.each([
  ["$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7", "$y$"],
  ["$2x$10$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW", "$2x$"],
  ["$S$D6BFmyqNjJ4YZ.QqrhgEoc3lnbPZbOmLBKFPQwzSLdVCpRQfFAgA", "$S$"],
  ["$ARGON2ID$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", "$ARGON2ID$"],
  ["$constructor$x", "$constructor$"],
])("of %s only the scheme is named, with those that are supported", (hash, scheme) => {
  expect(describeHashProblem(hash)).toBe(`must be of a supported scheme, not ${scheme}; supported are ${SUPPORTED}`);
});

test.each([
  ["nothing", ""],
  ["a bare digest", "5f4dcc3b5aa765d61d8327deb882cf99"],
  ["an LDAP hash", "{SSHA}VBPuJHI7uixaa6LQGWx4s+5GKNE="],
  ["Django's form", "pbkdf2_sha256$600000$salt$VBPuJHI7uixaa6LQGWx4s+5GKNE="],
  ["a long first part", "$5f4dcc3b5aa765d61d832$x"],
  ["a first part with other characters", "$pass word$x"],
  ["one dollar sign", "$2b"],
  ["a lone surrogate", "\ud800"],
])("of %s nothing is repeated", (_what, value) => {
  expect(describeHashProblem(value)).toBe(`must be in Modular Crypt Format; supported are ${SUPPORTED}`);
});

test("no description holds a part of the salt or hash, wherever it is broken", () => {
  for (const hash of Object.values(REAL)) {
    for (let at = 0; at < hash.length; at++) {
      const description = describeHashProblem(`${hash.slice(0, at)}*${hash.slice(at + 1)}`) ?? "";
      for (const part of hash.split("$").slice(2)) {
        if (part.length > 8) expect(description).not.toContain(part.slice(0, 8));
        if (part.length > 8) expect(description).not.toContain(part.slice(-8));
      }
    }
  }
});

test("512 characters are looked at, 513 are not", () => {
  const hash = (length: number) => `$6$rounds=5000$${"s".repeat(length - 15)}`;
  expect(describeHashProblem(hash(512))).toMatch(/complete SHA-crypt hash/);
  expect(describeHashProblem(hash(513))).toBe("must be at most 512 characters long");
  expect(describeHashProblem("$".repeat(1_000_000))).toBe("must be at most 512 characters long");
});

function base64(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}

function pbkdf2(digest: string, bytes: number): string {
  return base64(pbkdf2Sync("correct horse", "salt", 1000, bytes, digest));
}
