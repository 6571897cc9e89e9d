import type { Clock } from "../clock.ts";
import type { Keyring } from "./keyring.ts";

/** The dependencies of a sealed value. */
export interface SealedParts {
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/**
 * Encrypts values. The browser keeps nearly all of them, in forms and cookies: a table of unfinished sign-ins would be one
 * more resource that unauthenticated clients can fill. A sealed text is valid only for its subject, and for a limited time.
 */
interface SealedValues<Value> {
  /** @param subject The id of the sign-in or session to which the value belongs, or the code of its link. */
  seal(parts: SealedParts, subject: string, value: Value): string;
  /** @returns Undefined for a text that is not valid for this subject. */
  open(parts: SealedParts, subject: string, text: string): Value | undefined;
}

/**
 * Defines a kind of sealed values. A text of one kind is not valid as another.
 *
 * @param kind `table` and `column`: names that no table has.
 */
export function createSealedValues<Value>(kind: {
  readonly table: string;
  readonly column: string;
  readonly validSeconds: number;
}): SealedValues<Value> {
  const { table, column, validSeconds } = kind;
  return {
    seal({ keyring, clock }, subject, value) {
      const expiresAt = clock().getTime() + validSeconds * 1_000;
      const { keyId, ciphertext } = keyring.seal(
        { table, column, rowId: subject },
        JSON.stringify({ value, expiresAt }),
      );
      return `${keyId}.${ciphertext.toString("base64url")}`;
    },
    open({ keyring, clock }, subject, text) {
      const [keyId = "", ciphertext = ""] = text.split(".");
      const sealed = { keyId, ciphertext: Buffer.from(ciphertext, "base64url") };
      try {
        const opened = keyring.open({ table, column, rowId: subject }, sealed);
        const { value, expiresAt }: { value: Value; expiresAt: number } = JSON.parse(opened);
        return expiresAt > clock().getTime() ? value : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
