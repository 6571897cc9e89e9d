/**
 * What is wrong with a password hash in Modular Crypt Format, as the end of a sentence about it, or undefined when it is
 * accepted: of one of the schemes below, whole as far as its form can tell, and cheap enough to verify (`BOUNDS`). A hash
 * is stored as it was given; nothing here changes it.
 *
 * The description names the scheme that was seen and what is allowed. It never holds more of the value than that name.
 */
export function describeHashProblem(value: string): string | undefined {
  if (value.length > LONGEST_HASH) return `must be at most ${LONGEST_HASH} characters long`;
  const identifier = /^\$([A-Za-z0-9-]{1,20})\$/.exec(value)?.[1];
  if (identifier === undefined) return `must be in Modular Crypt Format; supported are ${SUPPORTED}`;
  const scheme = SCHEMES.find(({ identifiers }) => identifiers.includes(identifier));
  if (scheme === undefined) return `must be of a supported scheme, not $${identifier}$; supported are ${SUPPORTED}`;
  for (const { shape, problem } of scheme.forms) {
    const match = shape.exec(value);
    if (match) return problem?.(match.groups ?? {});
  }
  return `must be a complete ${scheme.name} hash: ${scheme.forms.map(({ looks }) => looks).join(" or ")}`;
}

/** Characters. The longest form in use is far shorter: PBKDF2 with 64 bytes of hash and 128 of salt has 286. */
const LONGEST_HASH = 512;

/**
 * How much work a hash may ask for. Seconds are of one core that needs 0.34 s for bcrypt of cost 12 in JavaScript: the
 * most expensive hash of each scheme keeps one thread busy for less than ten, and takes 1 GiB at most.
 */
const BOUNDS = {
  /** 4 is bcrypt's own minimum. Exports have 10 (older PHP), 12 (Django, Devise, Laravel) to 15; 16 takes 5.4 s. */
  bcryptCost: { min: 4, max: 16 },
  /** KiB. 8 is argon2's own minimum. libsodium's "sensitive" has 1 GiB, PHP and RFC 9106's second choice 64 MiB. */
  argon2Memory: { min: 8, max: 2 ** 20 },
  /** Exports have 1 to 10; how many passes over how much memory is bounded by `argon2Work`. */
  argon2Passes: { min: 1, max: 1_000 },
  /** KiB times passes. libsodium's "sensitive", four passes over 1 GiB, takes 7.1 s. */
  argon2Work: 2 ** 22,
  /** A verifier may start a thread for each lane. Libraries default to 1 to 8. */
  argon2Lanes: { min: 1, max: 64 },
  /** Log2 of N. 1 is scrypt's own minimum (RFC 7914, section 2); above 22 every r and p break a rule below. */
  scryptLogN: { min: 1, max: 22 },
  /** r and p, each; the product with N is bounded by `scryptWork`. */
  scryptFactor: { min: 1, max: 2 ** 22 },
  /** 128·N·r·p bytes. libsodium's "sensitive" (N=2^20, r=8, p=1) is 1 GiB and takes 6.6 s. */
  scryptWork: 2 ** 30,
  /** Times the blocks of output. OWASP asks for 1,300,000 of SHA-1, 600,000 of SHA-256; 10,000,000 of SHA-512: 6 s. */
  pbkdf2Iterations: { min: 1, max: 10_000_000 },
  /** 1,000 is SHA-crypt's own minimum. Exports have 5,000 (the default) to 656,000 (passlib); 3,000,000 take 7.6 s. */
  shaCryptRounds: { min: 1_000, max: 3_000_000 },
  /** Log2. 7 is phpass's own minimum. WordPress has 13, phpBB 11, passlib 19; 22 takes 9 s. */
  phpassCost: { min: 7, max: 22 },
} as const;

/** Bytes that a salt or a hash may have where the scheme leaves it open. */
const SIZES = {
  /** The reference implementation's minimum; PHC allows 48 at most. */
  argon2Salt: { min: 8, max: 64 },
  /** PHC allows 12 to 64. */
  argon2Hash: { min: 12, max: 64 },
  /** No scheme has a minimum, and exports of home-made systems have short ones. */
  salt: { min: 1, max: 128 },
  /** Below 16 bytes a hash can be met by chance; above 64 (Keycloak's PBKDF2) none is known. */
  hash: { min: 16, max: 64 },
} as const;

type Parts = Readonly<Record<string, string | undefined>>;

interface Form {
  /** The form told to people, with names in angle brackets. */
  readonly looks: string;
  /** The whole value; anchored, and without ambiguous repetition, so that it takes linear time. */
  readonly shape: RegExp;
  /** What is wrong with the named parts of a value of this shape. */
  readonly problem?: (parts: Parts) => string | undefined;
}

interface Scheme {
  readonly name: string;
  readonly identifiers: readonly string[];
  readonly forms: readonly Form[];
}

// The last character of a hash or salt carries fewer than six bits where the bytes do not fill it. The other bits are
// zero in every real hash, and verifiers that compare text never match one where they are not: [.Oeu], [./01] and so on.
const SCHEMES: readonly Scheme[] = [
  {
    // OpenBSD's format: 16 bytes of salt, 23 bytes of hash, its own base64. `$2x$`, the broken one of 2011, is refused.
    name: "bcrypt",
    identifiers: ["2a", "2b", "2y"],
    forms: [
      {
        looks: "$2b$<cost>$<22 characters of salt><31 characters of hash>",
        shape: /^\$2[aby]\$(?<cost>\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/,
        // Two digits, so `04` is how it is written.
        problem: ({ cost }) => outside("a bcrypt cost", Number(cost), BOUNDS.bcryptCost),
      },
    ],
  },
  {
    // PHC string format, in the order that the reference implementation writes and demands. No `v` means version 16.
    name: "argon2",
    identifiers: ["argon2id", "argon2i", "argon2d"],
    forms: [
      {
        looks: "$argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>",
        shape:
          /^\$argon2(?:id|i|d)\$(?:v=(?:16|19)\$)?m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[A-Za-z0-9+/]+)\$(?<hash>[A-Za-z0-9+/]+)$/,
        problem: argon2Problem,
      },
    ],
  },
  {
    // PHC string format, as passlib and others write it.
    name: "scrypt",
    identifiers: ["scrypt"],
    forms: [
      {
        looks: "$scrypt$ln=<log2 of N>,r=<r>,p=<p>$<salt>$<hash>",
        shape: /^\$scrypt\$ln=(?<ln>\d+),r=(?<r>\d+),p=(?<p>\d+)\$(?<salt>[A-Za-z0-9+/]+)\$(?<hash>[A-Za-z0-9+/]+)$/,
        problem: ({ ln, r, p, salt, hash }) =>
          scryptProblem(wholeNumber(ln), wholeNumber(r), wholeNumber(p)) ??
          sizeProblem("salt", bytesIn(salt), SIZES.salt) ??
          sizeProblem("hash", bytesIn(hash), SIZES.hash),
      },
    ],
  },
  {
    // crypt(5) of libxcrypt: one character for log2 of N, five each for r and p, least significant first; 32 bytes of hash.
    name: "scrypt",
    identifiers: ["7"],
    forms: [
      {
        looks: "$7$<11 characters of parameters><up to 86 characters of salt>$<43 characters of hash>",
        shape:
          /^\$7\$(?<ln>[./0-9A-Za-z])(?<r>[./0-9A-Za-z]{5})(?<p>[./0-9A-Za-z]{5})[./0-9A-Za-z]{1,86}\$[./0-9A-Za-z]{42}[./0-9A-D]$/,
        problem: ({ ln, r, p }) => scryptProblem(itoa64(ln), itoa64(r), itoa64(p)),
      },
    ],
  },
  {
    // Plain `pbkdf2` is SHA-1. Passlib writes "." where base64 has "+"; either is accepted, never both in one part.
    name: "PBKDF2",
    identifiers: ["pbkdf2", "pbkdf2-sha1", "pbkdf2-sha224", "pbkdf2-sha256", "pbkdf2-sha384", "pbkdf2-sha512"],
    forms: [
      {
        looks: "$pbkdf2-sha256$<iterations>$<salt>$<hash>",
        shape:
          /^\$pbkdf2(?:-(?<digest>sha\d+))?\$(?<i>\d+)\$(?<salt>[A-Za-z0-9./]+|[A-Za-z0-9+/]+)\$(?<hash>[A-Za-z0-9./]+|[A-Za-z0-9+/]+)$/,
        problem: pbkdf2Problem,
      },
      {
        looks: "$pbkdf2-sha256$i=<iterations>,l=<bytes of hash>$<salt>$<hash>",
        shape:
          /^\$pbkdf2(?:-(?<digest>sha\d+))?\$i=(?<i>\d+)(?:,l=(?<l>\d+))?\$(?<salt>[A-Za-z0-9./]+|[A-Za-z0-9+/]+)\$(?<hash>[A-Za-z0-9./]+|[A-Za-z0-9+/]+)$/,
        problem: pbkdf2Problem,
      },
    ],
  },
  {
    // Drepper, "Unix crypt using SHA-256 and SHA-512": `5` is SHA-256, `6` SHA-512. Without `rounds` there are 5,000.
    name: "SHA-crypt",
    identifiers: ["5"],
    forms: [
      {
        looks: "$5$rounds=<rounds>$<up to 16 characters of salt>$<43 characters of hash>",
        shape: /^\$5\$(?:rounds=(?<rounds>\d+)\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{42}[./0-9A-D]$/,
        problem: shaCryptProblem,
      },
    ],
  },
  {
    name: "SHA-crypt",
    identifiers: ["6"],
    forms: [
      {
        looks: "$6$rounds=<rounds>$<up to 16 characters of salt>$<86 characters of hash>",
        shape: /^\$6\$(?:rounds=(?<rounds>\d+)\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{85}[./01]$/,
        problem: shaCryptProblem,
      },
    ],
  },
  {
    // FreeBSD's and Apache's: always 1,000 rounds.
    name: "MD5-crypt",
    identifiers: ["1", "apr1"],
    forms: [
      {
        looks: "$1$<up to 8 characters of salt>$<22 characters of hash>",
        shape: /^\$(?:1|apr1)\$[./0-9A-Za-z]{1,8}\$[./0-9A-Za-z]{21}[./01]$/,
      },
    ],
  },
  {
    // Openwall's portable hashes; `$H$` is phpBB's name for the same.
    name: "phpass",
    identifiers: ["P", "H"],
    forms: [
      {
        looks: "$P$<1 character of cost><8 characters of salt><22 characters of hash>",
        shape: /^\$[PH]\$(?<cost>[./0-9A-Za-z])[./0-9A-Za-z]{8}[./0-9A-Za-z]{21}[./01]$/,
        problem: ({ cost }) => outside("a phpass cost (log2)", itoa64(cost), BOUNDS.phpassCost),
      },
    ],
  },
];

const SUPPORTED = [...Map.groupBy(SCHEMES, ({ name }) => name)]
  .map(([name, same]) => `${name} (${same.flatMap(({ identifiers }) => identifiers.map((id) => `$${id}$`)).join(" ")})`)
  .join(", ");

function argon2Problem({ m, t, p, salt, hash }: Parts): string | undefined {
  const memory = wholeNumber(m);
  const passes = wholeNumber(t);
  const lanes = wholeNumber(p);
  return (
    outside("argon2 memory (m, in KiB)", memory, BOUNDS.argon2Memory) ??
    outside("argon2 passes (t)", passes, BOUNDS.argon2Passes) ??
    outside("argon2 lanes (p)", lanes, BOUNDS.argon2Lanes) ??
    // RFC 9106, section 3.1.
    (memory < 8 * lanes ? "must have argon2 memory (m) of at least 8 KiB for each lane (p)" : undefined) ??
    (memory * passes > BOUNDS.argon2Work
      ? `must have argon2 memory (m) times passes (t) of at most ${plain(BOUNDS.argon2Work)}`
      : undefined) ??
    sizeProblem("salt", bytesIn(salt), SIZES.argon2Salt) ??
    sizeProblem("hash", bytesIn(hash), SIZES.argon2Hash)
  );
}

function scryptProblem(logN: number, r: number, p: number): string | undefined {
  return (
    outside("a scrypt cost (log2 of N)", logN, BOUNDS.scryptLogN) ??
    outside("a scrypt block size (r)", r, BOUNDS.scryptFactor) ??
    outside("a scrypt parallelization (p)", p, BOUNDS.scryptFactor) ??
    // RFC 7914, section 2: N < 2^(128·r/8). Implementations refuse more.
    (logN >= 16 * r ? "must have a scrypt cost (N) below 2 to the power of 16·r" : undefined) ??
    (128 * 2 ** logN * r * p > BOUNDS.scryptWork
      ? `must have scrypt parameters with 128·N·r·p of at most ${plain(BOUNDS.scryptWork)}`
      : undefined)
  );
}

/** Bytes that one block of PBKDF2 yields: more output than that costs all iterations again (RFC 8018, section 5.2). */
const DIGEST_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };

function pbkdf2Problem({ digest = "sha1", i, l, salt, hash }: Parts): string | undefined {
  const iterations = wholeNumber(i);
  const hashBytes = bytesIn(hash);
  const blocks = Math.ceil(hashBytes / (DIGEST_BYTES[digest] ?? 1));
  return (
    outside("PBKDF2 iterations", iterations, BOUNDS.pbkdf2Iterations) ??
    sizeProblem("salt", bytesIn(salt), SIZES.salt) ??
    sizeProblem("hash", hashBytes, SIZES.hash) ??
    (l !== undefined && wholeNumber(l) !== hashBytes ? "must have as many bytes of hash as l says" : undefined) ??
    (iterations * blocks > BOUNDS.pbkdf2Iterations.max
      ? `must have PBKDF2 iterations times ${blocks} blocks of hash of at most ${plain(BOUNDS.pbkdf2Iterations.max)}`
      : undefined)
  );
}

function shaCryptProblem({ rounds = "5000" }: Parts): string | undefined {
  return outside("SHA-crypt rounds", wholeNumber(rounds), BOUNDS.shaCryptRounds);
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function outside(what: string, value: number, { min, max }: Range): string | undefined {
  if (value >= min && value <= max) return undefined;
  return `must have ${what} from ${plain(min)} to ${plain(max)}`;
}

function sizeProblem(part: string, bytes: number, { min, max }: Range): string | undefined {
  if (bytes >= min && bytes <= max) return undefined;
  return `must have a ${part} of ${min} to ${max} bytes in base64 without padding`;
}

/** NaN, which is outside of every range, for leading zeros. A number too large to be exact is too large for every bound. */
function wholeNumber(digits = ""): number {
  return /^(?:0|[1-9]\d*)$/.test(digits) ? Number(digits) : Number.NaN;
}

/** How many bytes unpadded base64 stands for; NaN when no bytes are written like that. */
function bytesIn(base64 = ""): number {
  // The last of two characters carries 2 bits, the last of three 4; the rest is zero (RFC 4648, section 3.5).
  const last = { 0: /$/, 1: /(?!)/, 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ }[base64.length % 4];
  return last?.test(base64) ? Math.floor((base64.length * 3) / 4) : Number.NaN;
}

/** The number that characters of crypt's alphabet stand for, six bits each, least significant first. */
function itoa64(text = ""): number {
  const alphabet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return [...text].reduceRight((sum, character) => sum * 64 + alphabet.indexOf(character), 0);
}

function plain(value: number): string {
  return value.toLocaleString("en-US");
}
