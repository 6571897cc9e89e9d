import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";

/** Encrypts values that the browser keeps. A sealed text is valid only in its sign-in, and for a limited time. */
export interface SealedValues<Value> {
  readonly validSeconds: number;
  seal(signInId: string, value: Value): string;
  /** @returns Undefined for a text that is not valid in this sign-in. */
  open(signInId: string, text: string): Value | undefined;
}

/** @param column The kind of the values. A text of one kind is not valid as another. */
export function createSealedValues<Value>(
  { keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock },
  { column, validSeconds }: { readonly column: string; readonly validSeconds: number },
): SealedValues<Value> {
  // No table has these names. The place binds a text to its sign-in.
  const placeOf = (signInId: string) => ({ table: "sign-in", column, rowId: signInId });
  return {
    validSeconds,
    seal(signInId, value) {
      const expiresAt = clock().getTime() + validSeconds * 1_000;
      const { keyId, ciphertext } = keyring.seal(placeOf(signInId), JSON.stringify({ value, expiresAt }));
      return `${keyId}.${ciphertext.toString("base64url")}`;
    },
    open(signInId, text) {
      const [keyId = "", ciphertext = ""] = text.split(".");
      try {
        const opened = keyring.open(placeOf(signInId), { keyId, ciphertext: Buffer.from(ciphertext, "base64url") });
        const { value, expiresAt }: { value: Value; expiresAt: number } = JSON.parse(opened);
        return expiresAt > clock().getTime() ? value : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
