import { decodeBase64 } from "./base64.ts";
import { formatNumber, parseWholeNumber, rangeProblem, SIZES, sizeProblem } from "./bounds.ts";
import { incomplete, type Scheme, unlessProblem } from "./scheme.ts";

export interface Pbkdf2Hash {
  readonly scheme: "PBKDF2";
  readonly digest: keyof typeof DIGEST_BYTES;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Passlib's format and the PHC string format. Without a digest it is SHA-1. Passlib writes "." where base64 has "+"; a
 * part may have either, but not both.
 */
export const pbkdf2: Scheme<Pbkdf2Hash> = {
  name: "PBKDF2",
  identifiers: ["pbkdf2", "pbkdf2-sha1", "pbkdf2-sha224", "pbkdf2-sha256", "pbkdf2-sha384", "pbkdf2-sha512"],
  parse(value) {
    const parts = FORM.exec(value)?.groups;
    if (parts === undefined) {
      return incomplete(
        "PBKDF2",
        "$pbkdf2-sha256$<iterations>$<salt>$<hash>",
        "$pbkdf2-sha256$i=<iterations>,l=<bytes of hash>$<salt>$<hash>",
      );
    }
    const parsed: Pbkdf2Hash = {
      scheme: "PBKDF2",
      digest: (parts.digest ?? "sha1") as Pbkdf2Hash["digest"],
      iterations: parseWholeNumber(parts.iterations ?? parts.i),
      salt: decodeBase64(parts.salt?.replaceAll(".", "+")),
      hash: decodeBase64(parts.hash?.replaceAll(".", "+")),
    };
    return unlessProblem(findProblem(parsed, parts.l), parsed);
  },
};

const FORM =
  /^\$pbkdf2(?:-(?<digest>sha(?:1|224|256|384|512)))?\$(?:(?<iterations>\d+)|i=(?<i>\d+)(?:,l=(?<l>\d+))?)\$(?<salt>[A-Za-z0-9./]+|[A-Za-z0-9+/]+)\$(?<hash>[A-Za-z0-9./]+|[A-Za-z0-9+/]+)$/;

/**
 * Iterations times blocks of output. OWASP recommends 1,300,000 with SHA-1 and 600,000 with SHA-256; 10,000,000 with
 * SHA-512 take 6 s.
 */
const ITERATIONS = { min: 1, max: 10_000_000 };

/** Bytes in a block of output. Each block costs all iterations again (RFC 8018, section 5.2). */
const DIGEST_BYTES = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };

function findProblem({ digest, iterations, salt, hash }: Pbkdf2Hash, length?: string): string | undefined {
  const blocks = Math.ceil(hash.length / DIGEST_BYTES[digest]);
  return (
    rangeProblem("PBKDF2 iterations", iterations, ITERATIONS) ??
    sizeProblem("salt", salt, SIZES.salt) ??
    sizeProblem("hash", hash, SIZES.hash) ??
    (length !== undefined && parseWholeNumber(length) !== hash.length
      ? "must have as many bytes of hash as l says"
      : undefined) ??
    (iterations * blocks > ITERATIONS.max
      ? `must have PBKDF2 iterations times ${blocks} blocks of hash of at most ${formatNumber(ITERATIONS.max)}`
      : undefined)
  );
}
