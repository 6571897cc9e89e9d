import { argon2Sync, randomBytes } from "node:crypto";
import { hashSync } from "bcryptjs";
import type { PasswordHash } from "./modular-crypt-format.ts";

/** How new passwords are hashed. */
export interface HashSettings {
  readonly scheme: "bcrypt" | "argon2id";
  /** The base-2 logarithm of bcrypt's rounds. Ignored for argon2id. */
  readonly cost: number;
}

/** The first choice of the OWASP Password Storage Cheat Sheet: memory in KiB. */
const ARGON2ID = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** Hashes a password with a fresh salt of 16 random bytes, in Modular Crypt Format. Blocks its thread. */
export function hashNewPassword({ scheme, cost }: HashSettings, password: string): string {
  if (scheme === "bcrypt") return hashSync(password, cost);
  const nonce = randomBytes(16);
  const hash = argon2Sync("argon2id", { ...ARGON2ID, message: password, nonce });
  const { memory, passes, parallelism } = ARGON2ID;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(nonce)}$${toBase64(hash)}`;
}

function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

/** Whether a new hash would have the same scheme and costs. bcrypt's versions differ only in their names. */
export function isCurrentHash({ scheme, cost }: HashSettings, hash: PasswordHash): boolean {
  if (scheme === "bcrypt") return hash.scheme === "bcrypt" && hash.cost === cost;
  return (
    hash.scheme === "argon2" &&
    hash.variant === "argon2id" &&
    hash.version === 19 &&
    hash.memory === ARGON2ID.memory &&
    hash.passes === ARGON2ID.passes &&
    hash.lanes === ARGON2ID.parallelism &&
    hash.hash.length === ARGON2ID.tagLength
  );
}

/**
 * Takes about as long as a share of the verification of a new hash. Blocks its thread.
 *
 * @param share From 0 to 1.
 */
export function spendTime({ scheme, cost }: HashSettings, share: number): void {
  if (scheme === "argon2id") {
    const memory = Math.round(share * ARGON2ID.memory);
    // The minimum is argon2's.
    if (memory >= 8) argon2Sync("argon2id", { ...ARGON2ID, memory, message: "", nonce: DUMMY_NONCE });
    return;
  }
  // Each cost takes half as long as the next, so the binary digits of the share select the costs that add up to it.
  let units = Math.round(share * 2 ** (cost - CHEAPEST));
  for (let dummyCost = CHEAPEST; units > 0; dummyCost++, units >>= 1) {
    if (units & 1) hashSync("", `$2b$${String(dummyCost).padStart(2, "0")}$${DUMMY_SALT}`);
  }
}

const DUMMY_NONCE = Buffer.alloc(16);
const DUMMY_SALT = ".".repeat(22);

/** bcrypt's minimum. */
const CHEAPEST = 4;
