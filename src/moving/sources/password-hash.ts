import { namePrefix, prefixOf, recognizeHash } from "../../passwords/hash-prefixes.ts";

/** Hashes without a salt, which Signet refuses, by their length in hex. */
const UNSALTED: Readonly<Record<number, string>> = { 32: "MD5", 40: "SHA-1", 64: "SHA-256", 128: "SHA-512" };

/** What Django and crypt(3) store for somebody who has no password. */
const NO_PASSWORD = /^(?:![A-Za-z0-9]{40}|[!*]{1,2})$/;

/**
 * A password hash, if Signet has a scheme for it. The server checks its costs and the rest.
 *
 * @param lost Gets the reason otherwise. It contains no part of the salt or the hash.
 */
export function toPasswordHash(value: string | undefined, lost: string[]): string | undefined {
  const hash = value?.trim();
  if (hash === undefined || hash === "" || NO_PASSWORD.test(hash)) return undefined;
  const { scheme, incompleteForm } = recognizeHash(hash);
  const isKnown = scheme !== undefined || incompleteForm !== undefined;
  if (isKnown && !KRATOS_UNSALTED.test(hash)) return hash;
  return noPassword(lost, describe(hash));
}

/** Notes why the hash of a record is not imported. */
export function noPassword(lost: string[], reason: string): undefined {
  lost.push(`password: ${reason}`);
}

/**
 * The reason for a hash of something that Signet has no scheme for.
 *
 * @param what Such as `algorithm`.
 * @param name As the export has it. One that is too long or strange could be part of the hash, and is left out.
 */
export function notSupported(what: string, name: string): string {
  return `the ${what} ${/^[\w-]{1,30}$/.test(name) ? name : "of the hash"} is not supported`;
}

/** Ory Kratos' form without a salt. */
const KRATOS_UNSALTED = /^\$(md5|sha1|sha256|sha512)\$(?!pf=)[^$]*$/;

function describe(hash: string): string {
  const unsalted = /^[0-9a-f]+$/i.test(hash) ? UNSALTED[hash.length] : undefined;
  if (unsalted !== undefined) return `unsalted ${unsalted}`;
  const digest = KRATOS_UNSALTED.exec(hash)?.[1];
  if (digest !== undefined) return `unsalted ${digest.toUpperCase().replace("SHA", "SHA-")}`;
  const prefix = prefixOf(recognizeHash(hash).text);
  if (prefix === undefined) return "a hash of an unknown scheme";
  const name = namePrefix(prefix);
  return name === prefix ? `the scheme ${prefix} is not supported` : `${name} is not supported`;
}
