import type { Caller } from "../../call.ts";
import { type FindCodeParts, type FoundCode, findCodeAgain } from "../../codes/find-code.ts";
import type { SerializePerKey } from "../../database/serialize-per-key.ts";
import type { Hasher } from "../../passwords/hasher.ts";

export interface HashChosenPasswordParts extends FindCodeParts {
  readonly passwords: Hasher;
  /** Keyed by user. */
  readonly serializeHashing: SerializePerKey;
}

/**
 * Hashes the password chosen by the holder of a link. Hashing is the most expensive operation that a visitor can
 * request, and a single link could otherwise delay all others for minutes, so one password per user is hashed at a
 * time, and none after the link was used.
 *
 * @param held A valid code.
 * @param isUsable Whether a valid code still sets a password.
 * @returns The current state of the code, and the hash; undefined if the code is no longer valid or usable.
 * @throws SignetError UNAVAILABLE if too many passwords wait to be hashed, or for a failure of the database.
 */
export async function hashChosenPassword(
  parts: HashChosenPasswordParts,
  held: FoundCode,
  password: string,
  caller: Caller | undefined,
  isUsable: (code: FoundCode) => boolean = () => true,
): Promise<{ readonly code: FoundCode; readonly passwordHash: string | undefined }> {
  const { passwords, serializeHashing } = parts;
  return await serializeHashing(held.userId, async () => {
    const code = await findCodeAgain(parts, held, caller);
    if (code.state !== "valid" || !isUsable(code)) return { code, passwordHash: undefined };
    return {
      code,
      passwordHash: await passwords.hash(password, { turn: { kind: "page", orgId: held.orgId }, ...caller }),
    };
  });
}
