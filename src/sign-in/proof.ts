import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { hashSecretToHex } from "../crypto/secrets.ts";
import type { SignInUser } from "./find-sign-in-user.ts";
import { createSealedValues } from "./sealed-values.ts";

/** How a user has authenticated in a sign-in. */
export interface Proved {
  /** The methods verified by this service (RFC 8176), such as `pwd`. */
  readonly methods: readonly string[];
  /** Whether the browser keeps the session when it closes. */
  readonly remember: boolean;
  /** The identity provider that has confirmed the user, if any. */
  readonly idpId?: string | undefined;
}

/** Proves which user has authenticated in a sign-in with remaining gates. Pages contain it in encrypted form. */
export interface Proof extends Proved {
  readonly userId: string;
  /** Identifies the password's hash. */
  readonly password: string;
}

interface ProofParts {
  readonly keyring: Keyring;
  readonly clock: Clock;
}

const SEALED_PROOFS = createSealedValues<Proof>({ table: "sign-in", column: "proof", validSeconds: 15 * 60 });

/** Encrypts a proof. It is valid only in its sign-in, for 15 minutes, and until the user's password changes. */
export function sealProof(parts: ProofParts, signInId: string, user: SignInUser, proved: Proved): string {
  const { methods, remember, idpId } = proved;
  return SEALED_PROOFS.seal(parts, signInId, { userId: user.id, methods, remember, idpId, password: toMark(user) });
}

/** Returns undefined for a text that is not a valid proof in this sign-in. */
export function openProof(parts: ProofParts, signInId: string, text: string): Proof | undefined {
  return SEALED_PROOFS.open(parts, signInId, text);
}

/** Whether the user of a proof is active, with the same password as when the proof was created. */
export function isStillOf({ userId, password }: Proof, user: SignInUser): boolean {
  return user.id === userId && user.state === "active" && toMark(user) === password;
}

function toMark({ passwordHash }: SignInUser): string {
  return hashSecretToHex(passwordHash ?? "");
}
