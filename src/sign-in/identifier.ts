import { readPhone } from "../fields/phone.ts";
import { trimText } from "../fields/trim-text.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { LoginPolicy } from "../policies/login-policy.ts";

/** What decides by what a user is found, besides the user name, which always works. */
type IdentifierPolicy = Pick<LoginPolicy, "disableLoginWithEmail" | "disableLoginWithPhone">;

/** What a user has entered to sign in, in the forms in which it is compared. Need not belong to a user. */
export interface Identifier {
  /** The key of a user name. */
  readonly nameKey: string;
  /** The key of an address; null if it cannot be one, or addresses are not accepted. */
  readonly emailKey: string | null;
  /** E.164; null if it cannot be a phone number, or phone numbers are not accepted. */
  readonly phone: string | null;
}

/**
 * Reads what a user has entered.
 *
 * @param region ISO 3166-1 code of the region in which a number without a calling code is dialed: that of the browser.
 */
export function readIdentifier(
  entered: string,
  { disableLoginWithEmail, disableLoginWithPhone }: IdentifierPolicy,
  region: string | undefined,
): Identifier {
  const nameKey = toNameKey(entered);
  return {
    nameKey,
    emailKey: !disableLoginWithEmail && nameKey.includes("@") ? nameKey : null,
    phone: !disableLoginWithPhone && nameKey !== "" ? readPhone(entered, region) : null,
  };
}

/** The identifier that only finds the user with this name. */
export function nameIdentifier(userName: string): Identifier {
  return { nameKey: toNameKey(userName), emailKey: null, phone: null };
}

/** The key for finding a user name. No user has an empty one. */
function toNameKey(userName: string): string {
  return userName.includes("\0") || !userName.isWellFormed() ? "" : userNameKey(trimText(userName));
}
