import { type Actor, isAllowed } from "../actor.ts";
import { SignetError } from "../errors.ts";
import type { IdpOptions } from "../events/catalogue.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { AUTO_LINKING } from "./stored-numbers.ts";

/**
 * Whether the caller may manage a provider that links users without confirmation: it can sign in as any user of its
 * organizations whose email address it confirms, so the caller must be allowed to change all these users.
 */
export function mayAutoLink(actor: Actor, owner: IdpOwner): boolean {
  const mayChangeAll = owner.kind === "org" || isAllowed(actor, "iam.member.write");
  return mayChangeAll && isAllowed(actor, "user.write") && isAllowed(actor, "org.member.write");
}

/** @throws SignetError PERMISSION_DENIED if the options require permissions that the caller lacks. */
export function checkAutoLinking({ autoLinking }: IdpOptions, owner: IdpOwner, actor: Actor): void {
  if (autoLinking !== AUTO_LINKING.none && !mayAutoLink(actor, owner)) throw autoLinkingProtected();
}

export function autoLinkingProtected(): SignetError {
  return new SignetError(
    "PERMISSION_DENIED",
    "a provider that links users by their email address can be managed only with the permissions user.write and " +
      "org.member.write, and on the instance also iam.member.write",
  );
}
