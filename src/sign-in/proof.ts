import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { hashSecretToHex } from "../crypto/secrets.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

/** Proves which user has authenticated in a sign-in with remaining gates. Pages contain it in encrypted form. */
export interface Proof {
  readonly userId: string;
  /** Authentication methods (RFC 8176), such as `pwd`. */
  readonly methods: readonly string[];
  /** Whether the browser keeps the session when it closes. */
  readonly remember: boolean;
  /** The identity provider that has confirmed the user, if any. */
  readonly idpId?: string | undefined;
}

/** Encrypts proofs. A proof is valid only in its sign-in, for 15 minutes, and until the user's password changes. */
export interface Proofs {
  seal(signInId: string, user: SignInUser, proof: Omit<Proof, "userId">): string;
  /** @returns undefined for a text that is not a valid proof in this sign-in. */
  open(signInId: string, text: string): OpenedProof | undefined;
}

export interface OpenedProof extends Proof {
  /** Whether the user is active, with the same password as when the proof was created. */
  isStillOf(user: SignInUser): boolean;
}

const VALID_MS = 15 * 60_000;

export function createProofs({ keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock }): Proofs {
  return {
    seal(signInId, user, { methods, remember, idpId }) {
      const content: Content = {
        userId: user.id,
        methods,
        remember,
        ...(idpId && { idpId }),
        password: toMark(user),
        expiresAt: clock().getTime() + VALID_MS,
      };
      const { keyId, ciphertext } = keyring.seal(placeOf(signInId), JSON.stringify(content));
      return `${keyId}.${ciphertext.toString("base64url")}`;
    },
    open(signInId, text) {
      const [keyId = "", ciphertext = ""] = text.split(".");
      const content = decrypt(signInId, { keyId, ciphertext: Buffer.from(ciphertext, "base64url") });
      if (content === undefined || content.expiresAt <= clock().getTime()) return undefined;
      const { password, expiresAt: _, ...proof } = content;
      return {
        ...proof,
        isStillOf: (user) => user.id === proof.userId && user.state === "active" && toMark(user) === password,
      };
    },
  };

  function decrypt(signInId: string, sealed: { keyId: string; ciphertext: Buffer }): Content | undefined {
    try {
      return JSON.parse(keyring.open(placeOf(signInId), sealed));
    } catch {
      return undefined;
    }
  }
}

interface Content extends Proof {
  /** Identifies the password's hash. */
  readonly password: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** No table stores these values. The place binds a proof to its sign-in. */
function placeOf(signInId: string) {
  return { table: "sign-in", column: "proof", rowId: signInId };
}

function toMark({ passwordHash }: SignInUser): string {
  return hashSecretToHex(passwordHash ?? "");
}
