import { hash } from "node:crypto";
import { parseWholeNumber, rangeProblem } from "./bounds.ts";
import { encodeCryptBytes } from "./crypt-base64.ts";
import { incomplete, isEqual, type Scheme, unlessProblem } from "./scheme.ts";

interface ShaCryptHash {
  readonly scheme: "SHA-crypt";
  readonly digest: "sha256" | "sha512";
  readonly rounds: number;
  /** The text itself. */
  readonly salt: string;
  /** In the alphabet of crypt(3), in the scheme's order of bytes. */
  readonly hash: string;
}

/**
 * Ulrich Drepper, "Unix crypt using SHA-256 and SHA-512": `$5$` is SHA-256, `$6$` is SHA-512. Ory Kratos writes them as
 * `$sha256-crypt$` and `$sha512-crypt$`.
 */
export const shaCrypt: Scheme<ShaCryptHash> = {
  name: "SHA-crypt",
  parse(given) {
    const value = given.replace(/^\$sha256-crypt\$/, () => "$5$").replace(/^\$sha512-crypt\$/, () => "$6$");
    const { form, digest, characters } = value.startsWith("$5$") ? SHA256 : SHA512;
    const { rounds = DEFAULT_ROUNDS, salt, hash } = form.exec(value)?.groups ?? {};
    if (salt === undefined || hash === undefined) {
      const looks = `${value.slice(0, 3)}rounds=<rounds>$<up to 16 characters of salt>$<${characters} characters of hash>`;
      return incomplete("SHA-crypt", looks);
    }
    const parsed = { scheme: "SHA-crypt", digest, rounds: parseWholeNumber(rounds), salt, hash } as const;
    return unlessProblem(rangeProblem("SHA-crypt rounds", parsed.rounds, ROUNDS), parsed);
  },
  verify: (parsed, password) => isEqual(hashPassword(parsed, Buffer.from(password)), parsed.hash),
};

const SHA256 = {
  form: /^\$5\$(?:rounds=(?<rounds>\d+)\$)?(?<salt>[./0-9A-Za-z]{1,16})\$(?<hash>[./0-9A-Za-z]{42}[./0-9A-D])$/,
  digest: "sha256",
  characters: 43,
} as const;

const SHA512 = {
  form: /^\$6\$(?:rounds=(?<rounds>\d+)\$)?(?<salt>[./0-9A-Za-z]{1,16})\$(?<hash>[./0-9A-Za-z]{85}[./01])$/,
  digest: "sha512",
  characters: 86,
} as const;

/** For a hash that does not name its rounds. */
const DEFAULT_ROUNDS = "5000";

/** The minimum is SHA-crypt's. Exports have 5,000 to 656,000 (passlib); 3,000,000 take 7.6 s. */
const ROUNDS = { min: 1_000, max: 3_000_000 };

/** The algorithm of the specification, with its names A, B, P and S. */
function hashPassword({ digest, rounds, salt: saltText }: ShaCryptHash, password: Buffer): string {
  const sha = (parts: readonly Buffer[]) => hash(digest, Buffer.concat(parts), "buffer");
  const salt = Buffer.from(saltText);
  const b = sha([password, salt, password]);
  const parts = [password, salt, Buffer.alloc(password.length, b)];
  for (let bits = password.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? b : password);
  let a = sha(parts);
  const p = Buffer.alloc(password.length, sha(Array(password.length).fill(password)));
  const s = Buffer.alloc(salt.length, sha(Array(16 + (a[0] ?? 0)).fill(salt)));
  for (let round = 0; round < rounds; round++) {
    const isOdd = round % 2 === 1;
    const input = [isOdd ? p : a];
    if (round % 3 !== 0) input.push(s);
    if (round % 7 !== 0) input.push(p);
    input.push(isOdd ? a : p);
    a = sha(input);
  }
  return encodeCryptBytes(Buffer.from(ORDERS[digest].map((index) => a[index] ?? 0)));
}

/** The order in which the bytes of the digest are encoded: ten and 21 groups of three, then the rest. */
const ORDERS = {
  sha256: [...groupsOf(10), 30, 31],
  sha512: [...groupsOf(21), 63],
};

/**
 * Each group takes one byte of each third of the digest. SHA-256 rotates the thirds to the right, SHA-512 to the left.
 */
function groupsOf(count: number): number[] {
  const shift = count === 10 ? 2 : 1;
  return Array.from({ length: count }, (_, group) =>
    [2, 1, 0].map((position) => ((position + shift * group) % 3) * count + group),
  ).flat();
}
