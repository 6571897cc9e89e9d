import type { LoginPolicy } from "../../policies/login-policy.ts";
import type { Interaction } from "./interactions.ts";
import { isSecureContext } from "./passkey-offer.ts";
import type { SignInParts } from "./sign-in-parts.ts";

type RegistrationParts = Pick<SignInParts, "config" | "outbox">;

/** Whether a login policy lets people register, and the service can: their addresses are verified by email. */
export function canRegister(parts: RegistrationParts, policy: LoginPolicy): boolean {
  const hasWay = policy.allowUsernamePassword || canRegisterPasskey(parts, policy);
  return policy.allowRegister && hasWay && parts.outbox.sendsEmail;
}

/** Whether people can register with a passkey. */
export function canRegisterPasskey({ config }: RegistrationParts, { allowPasswordless }: LoginPolicy): boolean {
  return allowPasswordless && isSecureContext(config.publicUrl);
}

/** The same for a sign-in. If the application requires a specific user, a new user cannot sign in to it. */
export function offersRegistration(parts: RegistrationParts, { policy, expectedUserId }: Interaction): boolean {
  return expectedUserId === undefined && canRegister(parts, policy);
}
