import { hash } from "node:crypto";
import { encodeCryptBytes } from "./crypt-base64.ts";
import { incomplete, isEqual, type Scheme } from "./scheme.ts";

interface Md5CryptHash {
  readonly scheme: "MD5-crypt";
  readonly variant: "1" | "apr1";
  /** The text itself. */
  readonly salt: string;
  /** In the alphabet of crypt(3), in the scheme's order of bytes. */
  readonly hash: string;
}

/** FreeBSD's `$1$`, which Ory Kratos writes as `$md5-crypt$`, and Apache's `$apr1$`. They always have 1,000 rounds. */
export const md5Crypt: Scheme<Md5CryptHash> = {
  name: "MD5-crypt",
  parse(value) {
    const { variant, salt = "", hash = "" } = FORM.exec(value.replace(/^\$md5-crypt\$/, () => "$1$"))?.groups ?? {};
    if (variant !== "1" && variant !== "apr1") {
      return incomplete("MD5-crypt", "$1$<up to 8 characters of salt>$<22 characters of hash>");
    }
    return { ok: true, hash: { scheme: "MD5-crypt", variant, salt, hash } };
  },
  verify: (parsed, password) => isEqual(hashPassword(parsed, Buffer.from(password)), parsed.hash),
};

const FORM = /^\$(?<variant>1|apr1)\$(?<salt>[./0-9A-Za-z]{1,8})\$(?<hash>[./0-9A-Za-z]{21}[./01])$/;

/** Poul-Henning Kamp's algorithm, as FreeBSD published it in `crypt-md5.c`. */
function hashPassword({ variant, salt: saltText }: Md5CryptHash, password: Buffer): string {
  const salt = Buffer.from(saltText);
  const inner = md5([password, salt, password]);
  const parts = [password, Buffer.from(`$${variant}$`), salt, Buffer.alloc(password.length, inner)];
  for (let bits = password.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? NUL : password.subarray(0, 1));
  let digest = md5(parts);
  for (let round = 0; round < ROUNDS; round++) {
    const isOdd = round % 2 === 1;
    const input = [isOdd ? password : digest];
    if (round % 3 !== 0) input.push(salt);
    if (round % 7 !== 0) input.push(password);
    input.push(isOdd ? digest : password);
    digest = md5(input);
  }
  return encodeCryptBytes(Buffer.from(ORDER.map((index) => digest[index] ?? 0)));
}

const ROUNDS = 1_000;
const NUL = Buffer.alloc(1);

/** The order in which the bytes of the digest are encoded. */
const ORDER = [12, 6, 0, 13, 7, 1, 14, 8, 2, 15, 9, 3, 5, 10, 4, 11];

function md5(parts: readonly Buffer[]): Buffer {
  return hash("md5", Buffer.concat(parts), "buffer");
}
