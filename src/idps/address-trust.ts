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
 * A provider that links users without confirmation, or whose addresses count as verified, can sign in as any user of its
 * organizations whose email address it confirms, or register people with any address, so the caller must be allowed to
 * change all these users.
 *
 * @throws SignetError PERMISSION_DENIED if the settings require permissions that the caller lacks.
 */
export function checkAddressTrust({ autoLinking, trustEmail = false }: AddressTrust, owner: Owner, actor: Actor): void {
  if (!trustEmail && autoLinking === AUTO_LINKING.none) return;
  const mayChangeAll = owner.kind === "org" || isAllowed(actor, "iam.member.write");
  if (mayChangeAll && isAllowed(actor, "user.write") && isAllowed(actor, "org.member.write")) return;
  const message =
    "a provider that links users by their email address, or whose addresses are trusted, can be managed only with the " +
    "permissions user.write and org.member.write, and on the instance also iam.member.write";
  throw new SignetError("PERMISSION_DENIED", message);
}
