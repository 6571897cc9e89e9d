import { formatNumber } from "./schemes/bounds.ts";
import type { ScryptCost } from "./schemes/scrypt.ts";

/** In bytes. The largest that a hash may take at import: libsodium's "moderate" takes 256 MiB, PHP and RFC 9106 64 MiB. */
export const MAX_IMPORTED_MEMORY = 256 * 2 ** 20;

/** The parts of a `PasswordHash` that determine its memory. */
interface MemoryCosts extends Partial<ScryptCost> {
  readonly scheme: string;
  /** Of argon2, in KiB. */
  readonly memory?: number;
}

/** The memory that verifying a hash takes, in bytes; 0 if it is negligible. */
export function memoryOf({ memory = 0, logN, r = 0, p = 0 }: MemoryCosts): number {
  return logN === undefined ? memory * 1_024 : 128 * r * Math.max(2 ** logN, p);
}

/** Describes a hash that takes too much memory to be imported. Those of earlier imports are still verified. */
export function describeMemoryProblem(hash: MemoryCosts): string | undefined {
  if (memoryOf(hash) <= MAX_IMPORTED_MEMORY) return undefined;
  return hash.scheme === "argon2"
    ? `must have argon2 memory (m, in KiB) of at most ${formatNumber(MAX_IMPORTED_MEMORY / 1_024)}`
    : `must have scrypt parameters with 128·N·r and 128·r·p of at most ${formatNumber(MAX_IMPORTED_MEMORY)}`;
}
