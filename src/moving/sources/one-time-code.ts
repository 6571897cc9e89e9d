/** The parameters of one-time codes (RFC 6238), as systems export them. */
interface OneTimeCodeParameters {
  /** Base32. */
  readonly secret: string;
  /** Such as `SHA1`, `HmacSHA256` or `sha-512`. SHA-1 if absent. */
  readonly algorithm?: string | undefined;
  readonly digits?: number | undefined;
  readonly periodSeconds?: number | undefined;
}

/**
 * The secret of one-time codes for an import: base32, or an `otpauth://` URI if the parameters are not the usual ones.
 *
 * @param lost Gets the reason if Signet cannot verify such codes: docs/sign-in.md.
 */
export function toOtp(parameters: OneTimeCodeParameters, lost: string[]): string | undefined {
  const { digits = 6, periodSeconds = 30 } = parameters;
  const base32 = parameters.secret.toUpperCase().replaceAll(/[\s-]/g, "").replace(/=+$/, "");
  const algorithm = (parameters.algorithm ?? "SHA1").toUpperCase().replace(/^HMAC/, "").replace("-", "");
  const problem = findProblem({ base32, algorithm, digits, periodSeconds });
  if (problem !== undefined) {
    lost.push(`one-time codes: ${problem}`);
    return undefined;
  }
  if (algorithm === "SHA1" && digits === 6 && periodSeconds === 30) return base32;
  return `otpauth://totp/?secret=${base32}&algorithm=${algorithm}&digits=${digits}&period=${periodSeconds}`;
}

interface Given {
  readonly base32: string;
  readonly algorithm: string;
  readonly digits: number;
  readonly periodSeconds: number;
}

/** The bounds are those of `src/sign-in/code/totp.ts`. */
function findProblem({ base32, algorithm, digits, periodSeconds }: Given): string | undefined {
  if (!isBase32(base32)) return "the secret is not base32";
  if (base32.length * 5 < SHORTEST_KEY_BYTES * 8) return `the secret has fewer than ${SHORTEST_KEY_BYTES} bytes`;
  if (!["SHA1", "SHA256", "SHA512"].includes(algorithm)) return "the algorithm is not supported";
  if (![6, 7, 8].includes(digits)) return "the number of digits is not supported";
  if (!(periodSeconds >= 10 && periodSeconds <= 300)) return "the period is not supported";
  return undefined;
}

/** A remainder of one, three or six characters does not end on a byte boundary (RFC 4648, section 6). */
function isBase32(text: string): boolean {
  return /^[A-Z2-7]*$/.test(text) && ![1, 3, 6].includes(text.length % 8);
}

const SHORTEST_KEY_BYTES = 10;

/** Like `toOtp`, for a value, if there is one, that is an `otpauth://totp/` URI or base32. */
export function parseOtp(value: string | undefined, lost: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (!/^otpauth:/i.test(value.trim())) return toOtp({ secret: value }, lost);
  // Not every browser finds the host of a URL with another scheme than that of the web.
  const [, type, query] = /^otpauth:\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?/i.exec(value.trim()) ?? [];
  if (type?.toLowerCase() !== "totp") {
    lost.push("one-time codes: by counter");
    return undefined;
  }
  const parameters = new URLSearchParams(query);
  const read = (name: string) => parameters.get(name) ?? undefined;
  return toOtp(
    {
      secret: read("secret") ?? "",
      algorithm: read("algorithm"),
      digits: toNumber(read("digits")),
      periodSeconds: toNumber(read("period")),
    },
    lost,
  );
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/**
 * Recovery codes that an import takes: of 8 to 64 letters and digits, and only with one-time codes, which they replace.
 *
 * @param lost Gets the reason if codes are left out.
 */
export function toRecoveryCodes(codes: readonly string[], otp: string | undefined, lost: string[]): readonly string[] {
  if (codes.length > 0 && otp === undefined) {
    lost.push("recovery codes: the user has no one-time codes");
    return [];
  }
  const usable = codes.filter((code) => /^[A-Za-z0-9]{8,64}$/.test(code.replaceAll(/[\s-]/g, "")));
  if (usable.length < codes.length) lost.push("recovery codes: some do not have 8 to 64 letters and digits");
  return [...new Set(usable)];
}
