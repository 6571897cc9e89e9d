import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";

/** A public key that verifies signatures (RFC 7517), without the members that are not used. */
export type PublicJwk = JsonWebKey & { readonly kty: string; readonly kid?: string };

/** A key, or what is wrong with it. */
type CheckedKey =
  | { readonly key: PublicJwk }
  | { readonly member: string; readonly problem: string; readonly isSecret: boolean };

/** The algorithms that applications may sign with. */
export const CLIENT_ALGORITHMS = ["RS256", "PS256", "ES256", "Ed25519", "EdDSA"] as const;

/** By key type: the members of a public key, and its algorithms. */
const KEY_TYPES = new Map([
  ["RSA", { members: ["n", "e"], algorithms: ["RS256", "PS256"], curve: undefined }],
  ["EC", { members: ["crv", "x", "y"], algorithms: ["ES256"], curve: "P-256" }],
  ["OKP", { members: ["crv", "x"], algorithms: ["Ed25519", "EdDSA"], curve: "Ed25519" }],
]);

/** Members of private and symmetric keys (RFC 7518, section 6; RFC 8037). */
const SECRET_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"] as const;

const MAX_KEYS = 10;
/** Sets at a URL may also contain keys for other purposes. */
const MAX_FETCHED_KEYS = 50;
const MIN_RSA_BITS = 2_048;
const MAX_RSA_BITS = 4_096;
/** Larger exponents make verification slow. */
const MAX_RSA_EXPONENT = 2n ** 32n;
const MAX_ID_LENGTH = 200;

/**
 * Checks a JSON Web Key Set of an application: every key must be usable.
 *
 * @returns The set with only the members that are used, as JSON; or what is wrong, as the end of a sentence.
 */
export function parseKeySet(text: string): { readonly jwks: string } | { readonly problem: string } {
  const keys = readKeys(text);
  if (keys === undefined) return { problem: 'must be a JSON Web Key Set such as {"keys":[…]}' };
  if (keys.length === 0 || keys.length > MAX_KEYS) return { problem: `must have 1 to ${MAX_KEYS} keys` };
  const usable: PublicJwk[] = [];
  for (const [index, value] of keys.entries()) {
    const checked = checkKey(value);
    if (!("key" in checked)) return { problem: `keys[${index}]${checked.member} ${checked.problem}` };
    usable.push(checked.key);
  }
  return { jwks: JSON.stringify({ keys: usable }) };
}

/**
 * Reads a JSON Web Key Set that an application publishes. Ignores keys that it cannot use, such as those for
 * encryption.
 *
 * @throws Error if the text is not a set, contains private or symmetric keys, or has too many keys.
 */
export function readPublishedKeys(text: string): PublicJwk[] {
  const keys = readKeys(text);
  if (keys === undefined) throw new Error("the response is not a JSON Web Key Set");
  if (keys.length > MAX_FETCHED_KEYS) throw new Error(`the JSON Web Key Set has more than ${MAX_FETCHED_KEYS} keys`);
  const usable: PublicJwk[] = [];
  for (const [index, value] of keys.entries()) {
    const checked = checkKey(value);
    if ("key" in checked) usable.push(checked.key);
    else if (checked.isSecret) throw new Error(`keys[${index}]${checked.member} ${checked.problem}`);
  }
  return usable.slice(0, MAX_KEYS);
}

function readKeys(text: string): unknown[] | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) ? keys : undefined;
  } catch {
    return undefined;
  }
}

function checkKey(value: unknown): CheckedKey {
  if (typeof value !== "object" || value === null) return unusable("", "must be an object");
  const jwk = value as Record<string, unknown>;
  for (const member of SECRET_MEMBERS) {
    if (jwk[member] === undefined) continue;
    return { member: `.${member}`, problem: "must be absent: only public keys are allowed", isSecret: true };
  }
  const { kty, use, alg, kid } = jwk;
  if (kty === "oct")
    return { member: ".kty", problem: "must be RSA, EC or OKP: only public keys are allowed", isSecret: true };
  const type = typeof kty === "string" ? KEY_TYPES.get(kty) : undefined;
  if (typeof kty !== "string" || type === undefined) return unusable(".kty", "must be RSA, EC or OKP");
  const { members, algorithms, curve } = type;
  for (const member of members) {
    if (typeof jwk[member] !== "string") return unusable(`.${member}`, "must be a string");
  }
  if (curve !== undefined && jwk.crv !== curve) return unusable(".crv", `must be ${curve}`);
  if (use !== undefined && use !== "sig") return unusable(".use", "must be sig");
  if (alg !== undefined && !algorithms.includes(String(alg))) {
    return unusable(".alg", `must be ${algorithms.join(" or ")}`);
  }
  if (kid !== undefined && (typeof kid !== "string" || kid === "" || kid.length > MAX_ID_LENGTH)) {
    return unusable(".kid", `must be a string of 1 to ${MAX_ID_LENGTH} characters`);
  }
  const used = [...members, "use", "alg", "kid"].flatMap((name) =>
    jwk[name] === undefined ? [] : [[name, jwk[name]]],
  );
  const key = { kty, ...Object.fromEntries(used) } as PublicJwk;
  const problem = describeKeyProblem(key);
  return problem === undefined ? { key } : unusable("", problem);
}

function describeKeyProblem(jwk: PublicJwk): string | undefined {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return `is not a valid ${jwk.kty} key`;
  }
  const { modulusLength, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength === undefined) return undefined;
  if (modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS) {
    return `must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`;
  }
  return publicExponent > MAX_RSA_EXPONENT ? "must have an exponent of at most 32 bits" : undefined;
}

function unusable(member: string, problem: string): CheckedKey {
  return { member, problem, isSecret: false };
}
