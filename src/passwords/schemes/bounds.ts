/** Both ends are allowed. */
interface Range {
  readonly min: number;
  readonly max: number;
}

/** Describes a parameter outside its range. NaN is outside every range. */
export function rangeProblem(what: string, value: number, { min, max }: Range): string | undefined {
  if (value >= min && value <= max) return undefined;
  return `must have ${what} from ${formatNumber(min)} to ${formatNumber(max)}`;
}

/**
 * Describes a salt or hash with too few or too many bytes, such as the empty buffer of `decodeBase64` for invalid text.
 */
export function sizeProblem(
  part: "salt" | "salt separator" | "hash",
  { length }: Buffer,
  { min, max }: Range,
): string | undefined {
  if (length >= min && length <= max) return undefined;
  return `must have a ${part} of ${min} to ${max} bytes in base64`;
}

/** Parses decimal digits. NaN for leading zeros. A number too large to be exact exceeds every range. */
export function parseWholeNumber(digits = ""): number {
  return /^(?:0|[1-9]\d*)$/.test(digits) ? Number(digits) : Number.NaN;
}

/** Formats a number with separators for messages. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

/** The sizes of salts and hashes in bytes, for schemes that do not define them. */
export const SIZES = {
  /** The schemes have no minimum, and homegrown systems export short salts. */
  salt: { min: 1, max: 128 },
  /** A hash of fewer than 16 bytes could match by chance. No known system stores more than 64 (Keycloak's PBKDF2). */
  hash: { min: 16, max: 64 },
} as const satisfies Record<string, Range>;
