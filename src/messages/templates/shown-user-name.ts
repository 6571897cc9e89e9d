import { toGreetingName } from "./greeting-name.ts";
import { toShownAddress } from "./shown-address.ts";

/**
 * Returns the user name if it is safe to show in a message, otherwise undefined: the address that the message is sent
 * to, a name that `toGreetingName` accepts, or letters, a few digits, `-` and `_`. Mail clients could turn any other
 * name into a link.
 */
export function toShownUserName(userName: string, recipient: string): string | undefined {
  if (userName.toLowerCase() === recipient.toLowerCase()) return toShownAddress(userName);
  return SIMPLE.test(userName) ? userName : toGreetingName(userName);
}

/** Phone mail clients turn seven digits into a link. */
const SIMPLE = /^(?=.{1,60}$)(?!(?:.*\p{Nd}){7})[\p{L}\p{M}\p{Nd}_-]+$/u;
