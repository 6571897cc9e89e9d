import type { Texts } from "../../texts/shape.ts";
import type { RoleChoice } from "./role-boxes.tsx";

/** The roles in an organization, in the order of their permissions. */
export const ORG_ROLES = ["ORG_OWNER", "ORG_SETTINGS_MANAGER", "ORG_USER_MANAGER", "ORG_VIEWER"] as const;

/** The roles in the instance, which apply to every organization. */
export const INSTANCE_ROLES = ["INSTANCE_OWNER", "INSTANCE_USER_MANAGER", "INSTANCE_VIEWER"] as const;

export function orgRoleChoices({ user }: Texts): readonly RoleChoice[] {
  return ORG_ROLES.map((role) => ({ role, name: user.roles.names[role], meaning: user.roles.meanings[role] }));
}

export function instanceRoleChoices({ members }: Texts): readonly RoleChoice[] {
  return INSTANCE_ROLES.map((role) => ({ role, name: members.names[role], meaning: members.meanings[role] }));
}

/** The names of roles; a role that the console does not know has the name of the API. */
export function namesOf(roles: readonly string[], choices: readonly RoleChoice[]): string {
  return roles.map((role) => choices.find((choice) => choice.role === role)?.name ?? role).join(", ");
}
