import { randomBytes } from "node:crypto";
import { hashSync } from "bcryptjs";
import type { PasswordHash } from "./modular-crypt-format.ts";
import { computeArgon2 } from "./schemes/argon2.ts";

/** How new passwords are hashed. */
export interface HashSettings {
  readonly scheme: "bcrypt" | "argon2id";
  /** The base-2 logarithm of bcrypt's rounds. Ignored for argon2id. */
  readonly cost: number;
}

/**
 * The first choice of the OWASP Password Storage Cheat Sheet: memory in KiB. Not configurable, as it suits any server.
 */
const ARGON2ID = { variant: "argon2id", version: 19, memory: 19_456, passes: 2, lanes: 1 } as const;

/** The memory that new hashes take, in bytes. */
export function memoryOfNewHash({ scheme }: HashSettings): number {
  return scheme === "argon2id" ? ARGON2ID.memory * 1_024 : 0;
}

/** In bytes. RFC 9106, section 4, recommends these sizes for salt and hash. */
const [SALT_SIZE, HASH_SIZE] = [16, 32];

/** Hashes a password with a fresh salt of 16 random bytes, in Modular Crypt Format. Blocks its thread. */
export function hashNewPassword({ scheme, cost }: HashSettings, password: string): string {
  if (scheme === "bcrypt") return hashSync(password, cost);
  const salt = randomBytes(SALT_SIZE);
  const hash = computeArgon2(ARGON2ID, password, salt, HASH_SIZE);
  const { variant, version, memory, passes, lanes } = ARGON2ID;
  return `$${variant}$v=${version}$m=${memory},t=${passes},p=${lanes}$${toBase64(salt)}$${toBase64(hash)}`;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

/**
 * Whether a new hash would have the same scheme and costs. bcrypt's versions differ only in their names. A more
 * expensive hash is not current either: an operator who lowers the cost wants to reduce the load.
 */
export function isCurrentHash({ scheme, cost }: HashSettings, hash: PasswordHash): boolean {
  if (scheme === "bcrypt") return hash.scheme === "bcrypt" && hash.cost === cost;
  return (
    hash.scheme === "argon2" &&
    hash.variant === ARGON2ID.variant &&
    hash.version === ARGON2ID.version &&
    hash.memory === ARGON2ID.memory &&
    hash.passes === ARGON2ID.passes &&
    hash.lanes === ARGON2ID.lanes &&
    hash.hash.length === HASH_SIZE
  );
}

/**
 * Takes about as long as a given share of the verification of a new hash. Blocks its thread.
 *
 * @param share From 0 to 1.
 */
export function spendTime({ scheme, cost }: HashSettings, share: number): void {
  if (scheme === "argon2id") {
    const memory = Math.round(share * ARGON2ID.memory);
    // The minimum is argon2's.
    if (memory >= 8) computeArgon2({ ...ARGON2ID, memory }, "", DUMMY_ARGON2_SALT, HASH_SIZE);
    return;
  }
  // Each cost takes half as long as the next, so the binary digits of the share select the costs that add up to it.
  let units = Math.round(share * 2 ** (cost - CHEAPEST));
  for (let dummyCost = CHEAPEST; units > 0; dummyCost++, units >>= 1) {
    if (units & 1) hashSync("", `$2b$${String(dummyCost).padStart(2, "0")}$${DUMMY_BCRYPT_SALT}`);
  }
}

const DUMMY_ARGON2_SALT = Buffer.alloc(SALT_SIZE);
const DUMMY_BCRYPT_SALT = ".".repeat(22);

/** bcrypt's minimum. */
const CHEAPEST = 4;
