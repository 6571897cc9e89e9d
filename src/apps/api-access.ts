import { type Actor, isAllowed } from "../actor.ts";
import { SignetError } from "../errors.ts";

/**
 * Whether a caller may give applications API access, and change applications that have it. Such an application acts
 * with the roles of the users who sign in to it, so anyone who controls it can use them (docs/decisions.md).
 */
export function mayGrantApiAccess(actor: Actor): boolean {
  return isAllowed(actor, "org.member.write");
}

export function apiAccessDenied(): SignetError {
  return new SignetError(
    "PERMISSION_DENIED",
    "apiAccess: only callers with the permission org.member.write may set it, or change applications that have it",
  );
}
