import type { Interaction } from "./interactions.ts";

/** Whether the login policy lets users reset their password. */
export function canResetPassword({ policy }: Pick<Interaction, "policy">): boolean {
  return policy.allowUsernamePassword && !policy.hidePasswordReset;
}
