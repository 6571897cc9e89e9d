import { findSignInIdp, type SignInIdp } from "../../idps/find-sign-in-idp.ts";
import type { LoginPolicy } from "../../policies/login-policy.ts";
import type { Interaction } from "./interactions.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

type AllowedParts = Pick<SignInParts, "config" | "outbox">;

/** Whether the login policy lets users reset their password. */
export function canResetPassword({ policy }: Pick<Interaction, "policy">): boolean {
  return policy.allowUsernamePassword && !policy.hidePasswordReset;
}

/** Whether a login policy lets people register, and the service can: their addresses are verified by email. */
export function canRegister(parts: AllowedParts, policy: LoginPolicy): boolean {
  const hasWay = policy.allowUsernamePassword || canRegisterPasskey(parts, policy);
  return policy.allowRegister && hasWay && parts.outbox.sendsEmail;
}

/** The same for a sign-in. If the application requires a specific user, a new user cannot sign in to it. */
export function offersRegistration(parts: AllowedParts, { policy, expectedUserId }: Interaction): boolean {
  return expectedUserId === undefined && canRegister(parts, policy);
}

/** Whether people can register with a passkey. */
export function canRegisterPasskey({ config }: AllowedParts, { allowPasswordless }: LoginPolicy): boolean {
  return allowPasswordless && isSecureContext(config.publicUrl);
}

/** Whether browsers support passkeys at a URL (W3C Secure Contexts, section 3.1). */
export function isSecureContext(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || /(^|\.)localhost$/.test(hostname);
}

/** Finds an active provider for a sign-in; undefined if there is none, or the login policy does not allow any. */
export async function findAllowedIdp(
  parts: SignInParts,
  { signIn, caller }: SignInVisit,
  idpId: string,
): Promise<SignInIdp | undefined> {
  if (!signIn.policy.allowExternalIdp) return undefined;
  return await findSignInIdp(parts, { orgId: signIn.org.id, idpId }, caller);
}
