import { pbkdf2Sync } from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { formatNumber, parseWholeNumber, rangeProblem, SIZES, sizeProblem } from "./bounds.ts";
import { incomplete, isEqual, type ParseResult, type Scheme, unlessProblem } from "./scheme.ts";

interface Pbkdf2Hash {
  readonly scheme: "PBKDF2";
  readonly digest: keyof typeof DIGEST_BYTES;
  readonly iterations: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Passlib's format, the PHC string format, and Django's. Without a digest it is SHA-1. Passlib writes "." instead of
 * base64's "+"; a part may contain either, but not both.
 */
export const pbkdf2: Scheme<Pbkdf2Hash> = {
  name: "PBKDF2",
  parse: (value) => (value.startsWith("$") ? parseModular(value) : parseDjango(value)),
  verify: ({ digest, iterations, salt, hash }, password) =>
    isEqual(pbkdf2Sync(password, salt, iterations, hash.length, digest), hash),
};

function parseModular(value: string): ParseResult<Pbkdf2Hash> {
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
}

const FORM =
  /^\$pbkdf2(?:-(?<digest>sha(?:1|224|256|384|512)))?\$(?:(?<iterations>\d+)|i=(?<i>\d+)(?:,l=(?<l>\d+))?)\$(?<salt>(?:[A-Za-z0-9./]+|[A-Za-z0-9+/]+)={0,2})\$(?<hash>(?:[A-Za-z0-9./]+|[A-Za-z0-9+/]+)={0,2})$/;

/** The salt is the text itself. The hash is as long as the digest. */
function parseDjango(value: string): ParseResult<Pbkdf2Hash> {
  const parts = DJANGO_FORM.exec(value)?.groups;
  if (parts === undefined) return incomplete("PBKDF2", "pbkdf2_sha256$<iterations>$<salt>$<hash>");
  const parsed: Pbkdf2Hash = {
    scheme: "PBKDF2",
    digest: parts.digest as "sha1" | "sha256",
    iterations: parseWholeNumber(parts.iterations),
    salt: Buffer.from(parts.salt ?? ""),
    hash: decodeBase64(parts.hash),
  };
  return unlessProblem(findProblem(parsed, String(DIGEST_BYTES[parsed.digest])), parsed);
}

const DJANGO_FORM =
  /^pbkdf2_(?<digest>sha1|sha256)\$(?<iterations>\d+)\$(?<salt>[^$\s]+)\$(?<hash>[A-Za-z0-9+/]+={0,2})$/;

/**
 * Iterations times blocks of output. OWASP recommends 1,300,000 with SHA-1 and 600,000 with SHA-256; 10,000,000 with
 * SHA-512 take 6 s.
 */
const ITERATIONS = { min: 1, max: 10_000_000 };

/** Bytes per block of output. Each block takes all iterations again (RFC 8018, section 5.2). */
const DIGEST_BYTES = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };

function findProblem({ digest, iterations, salt, hash }: Pbkdf2Hash, length?: string): string | undefined {
  const blocks = Math.ceil(hash.length / DIGEST_BYTES[digest]);
  return (
    rangeProblem("PBKDF2 iterations", iterations, ITERATIONS) ??
    sizeProblem("salt", salt, SIZES.salt) ??
    sizeProblem("hash", hash, SIZES.hash) ??
    (length !== undefined && parseWholeNumber(length) !== hash.length
      ? `must have a hash of ${length} bytes`
      : undefined) ??
    (iterations * blocks > ITERATIONS.max
      ? `must have PBKDF2 iterations times ${blocks} blocks of hash of at most ${formatNumber(ITERATIONS.max)}`
      : undefined)
  );
}
