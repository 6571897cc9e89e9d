import { type Actor, isAllowed } from "../actor.ts";
import { SignetError } from "../errors.ts";
import type { Owner } from "../owner.ts";
import { AUTO_LINKING } from "./stored-numbers.ts";

/** The settings by which an address of a provider links users, or counts as verified. */
interface AddressTrust {
  /** One of `AUTO_LINKING`. */
  readonly autoLinking: number;
  readonly trustEmail?: boolean;
}

/**
 * Whether the caller may manage a provider that links users without confirmation, or whose addresses count as verified:
 * it can sign in as any user of its organizations whose email address it confirms, or register people with any address,
 * so the caller must be allowed to change all these users.
 */
function mayTrustAddresses(actor: Actor, owner: Owner): boolean {
  const mayChangeAll = owner.kind === "org" || isAllowed(actor, "iam.member.write");
  return mayChangeAll && isAllowed(actor, "user.write") && isAllowed(actor, "org.member.write");
}

/** @throws SignetError PERMISSION_DENIED if the settings require permissions that the caller lacks. */
export function checkAddressTrust({ autoLinking, trustEmail = false }: AddressTrust, owner: Owner, actor: Actor): void {
  const isTrusted = trustEmail || autoLinking !== AUTO_LINKING.none;
  if (isTrusted && !mayTrustAddresses(actor, owner)) throw addressTrustProtected();
}

function addressTrustProtected(): SignetError {
  return new SignetError(
    "PERMISSION_DENIED",
    "a provider that links users by their email address, or whose addresses are trusted, can be managed only with the " +
      "permissions user.write and org.member.write, and on the instance also iam.member.write",
  );
}
