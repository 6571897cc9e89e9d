/** All permissions. The proto assigns one to each RPC. */
const PERMISSIONS = [
  "iam.idp.write",
  "iam.member.write",
  "org.idp.write",
  "org.member.write",
  "user.read",
  "user.write",
  "user.delete",
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** All roles with their scope and permissions. An instance role applies to every organization. */
export const ROLES = {
  INSTANCE_OWNER: { scope: "instance", permissions: PERMISSIONS },
  INSTANCE_USER_MANAGER: { scope: "instance", permissions: ["user.read", "user.write", "user.delete"] },
  ORG_OWNER: {
    scope: "org",
    permissions: ["org.idp.write", "org.member.write", "user.read", "user.write", "user.delete"],
  },
  ORG_SETTINGS_MANAGER: { scope: "org", permissions: ["org.idp.write"] },
  ORG_USER_MANAGER: { scope: "org", permissions: ["user.read", "user.write", "user.delete"] },
} as const satisfies Record<string, { scope: "instance" | "org"; permissions: readonly Permission[] }>;

export type Role = keyof typeof ROLES;

/** Whether a text is the name of a role. */
export function isRole(text: string): text is Role {
  return Object.hasOwn(ROLES, text);
}

/** Whether a text is the name of a permission. */
export function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}

/** Whether a role has a permission. An unknown role has none. */
export function isAllowed(role: string, permission: string): boolean {
  return isRole(role) && (ROLES[role].permissions as readonly string[]).includes(permission);
}

/** Whether a permission applies to the instance rather than to an organization. */
export function isInstancePermission(permission: Permission): boolean {
  return permission.startsWith("iam.");
}
