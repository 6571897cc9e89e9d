/** All permissions. The proto assigns one to each RPC. */
const PERMISSIONS = ["iam.idp.write", "org.idp.write", "user.write"] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** All roles with their scope and permissions. An instance role applies to every organization. */
export const ROLES = {
  INSTANCE_OWNER: { scope: "instance", permissions: ["iam.idp.write", "org.idp.write", "user.write"] },
  INSTANCE_USER_MANAGER: { scope: "instance", permissions: ["user.write"] },
  ORG_OWNER: { scope: "org", permissions: ["org.idp.write", "user.write"] },
  ORG_SETTINGS_MANAGER: { scope: "org", permissions: ["org.idp.write"] },
  ORG_USER_MANAGER: { scope: "org", permissions: ["user.write"] },
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
export function isAllowed(role: string, permission: Permission): boolean {
  return isRole(role) && (ROLES[role].permissions as readonly Permission[]).includes(permission);
}

/** Whether a permission applies to the instance rather than to an organization. */
export function isInstancePermission(permission: Permission): boolean {
  return permission.startsWith("iam.");
}
