import { createSealedValues, type SealedParts } from "../crypto/sealed-values.ts";
import { hashSecretToHex } from "../crypto/secrets.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

/** How a user has authenticated in a sign-in. */
export interface Proved {
  /** The methods verified by this service (RFC 8176), such as `pwd`. */
  readonly methods: readonly string[];
  /** Whether the browser keeps the session when it closes. */
  readonly remember: boolean;
  /** The identity provider that has confirmed the user, if any. */
  readonly idp?: ProvedByIdp | undefined;
  /** Whether a sign-in at the provider may be too old for the application, so that the user has to prove more. */
  readonly isStale?: boolean | undefined;
  /** Whether the user has postponed to set up a second factor that is required soon. */
  readonly isFactorPostponed?: boolean | undefined;
  /** The session to whose sign-in a factor is added. */
  readonly session?: ContinuedSession | undefined;
}

/** The session whose sign-in is continued. If it ends, nothing is left to continue. */
interface ContinuedSession {
  readonly id: string;
  /** When its sign-in began, in seconds since 1970. */
  readonly startedTs: number | undefined;
}

/** How an identity provider has confirmed a user. */
export interface ProvedByIdp {
  readonly id: string;
  /** Whether an organization owns the provider, rather than the instance. */
  readonly isOfOrg: boolean;
  /**
   * When the user authenticated at the provider, in seconds since 1970; undefined if the provider has not reported it.
   * The callback does not count: a provider may respond from a session that is hours old.
   */
  readonly authTime: number | undefined;
  /** See `AuthTime`. */
  readonly isAssumed?: boolean | undefined;
}

/**
 * Whether a proof is too weak to change how the user signs in. Anyone who controls a provider of an organization can
 * sign in as its linked users, and must not get their roles outside of the organization this way.
 */
export function lacksOwnProof({ idp }: Pick<Proved, "idp">, user: Pick<SignInUser, "hasRolesElsewhere">): boolean {
  return idp?.isOfOrg === true && user.hasRolesElsewhere;
}

/** The proof of a user who has just proved more than a sign-in at the provider that may be too old. */
export function withRecentProof(proved: Proved, now: Date): Proved {
  const { idp, isStale: _, ...rest } = proved;
  const authTime = Math.floor(now.getTime() / 1_000);
  return { ...rest, ...(idp && { idp: { id: idp.id, isOfOrg: idp.isOfOrg, authTime } }) };
}

/** Proves which user has authenticated in a sign-in with remaining gates. Pages contain it in encrypted form. */
interface Proof extends Proved {
  readonly userId: string;
  /** Identifies the password's hash. */
  readonly password: string;
}

const SEALED_PROOFS = createSealedValues<Proof>({ table: "sign-in", column: "proof", validSeconds: 15 * 60 });

/** Encrypts a proof. It is valid only in its sign-in, for 15 minutes, and until the user's password changes. */
export function sealProof(parts: SealedParts, signInId: string, user: SignInUser, proved: Proved): string {
  const { methods, remember, idp, isStale, isFactorPostponed, session } = proved;
  const kept = { methods, remember, idp, isStale, isFactorPostponed, session };
  const proof = { userId: user.id, ...kept, password: toMark(user) };
  return SEALED_PROOFS.seal(parts, signInId, proof);
}

/** Returns undefined for a text that is not a valid proof in this sign-in. */
export function openProof(parts: SealedParts, signInId: string, text: string): Proof | undefined {
  return SEALED_PROOFS.open(parts, signInId, text);
}

/** Whether the user of a proof is active, with the same password as when the proof was created. */
export function isStillOf({ userId, password }: Proof, user: SignInUser): boolean {
  return user.id === userId && user.state === "active" && toMark(user) === password;
}

function toMark({ passwordHash }: SignInUser): string {
  return hashSecretToHex(passwordHash ?? "");
}
