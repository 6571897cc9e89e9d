import { parsePhone } from "./phone.ts";
import { trimText } from "./trim-text.ts";
import { userNameKey } from "./user-name.ts";

/**
 * Whether a user name is an email address or a phone number that may be somebody else's. Users may not choose one
 * themselves, nor get it from a provider, even if nobody has it yet: a sign-in finds names first, so the owner could later
 * not sign in with the address or number.
 *
 * @param own What belongs to the user: verified addresses and numbers, and the current name.
 */
export function isForeignIdentifier(userName: string, own: readonly string[]): boolean {
  const key = userNameKey(trimText(userName));
  const phone = parsePhone(userName);
  const isOwn = (name: string) => userNameKey(name) === key || (phone.ok && phone.e164 === name);
  return (key.includes("@") || phone.ok) && !own.some(isOwn);
}
