/** All permissions. The proto assigns one to each RPC. */
const PERMISSIONS = [
  "iam.read",
  "iam.idp.read",
  "iam.idp.write",
  "iam.member.read",
  "iam.member.write",
  "iam.policy.read",
  "iam.policy.write",
  "iam.org.read",
  "iam.org.write",
  "iam.org.delete",
  "org.read",
  "org.write",
  "org.delete",
  "org.idp.read",
  "org.idp.write",
  "org.app.read",
  "org.app.write",
  "org.member.read",
  "org.member.write",
  "org.hook.read",
  "org.hook.write",
  "org.scim.read",
  "org.scim.write",
  "policy.read",
  "policy.write",
  "user.read",
  "user.write",
  "user.delete",
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** In place of a permission, the proto assigns this to read-only RPCs that every caller with a valid token may call. */
export const AUTHENTICATED = "authenticated.read";

/** What an RPC requires of its caller. */
export type Requirement = Permission | typeof AUTHENTICATED;

interface RoleRule {
  readonly scope: "instance" | "org";
  readonly permissions: readonly Permission[];
}

/** All roles with their scope and permissions. An instance role applies to every organization. */
export const ROLES = {
  INSTANCE_OWNER: { scope: "instance", permissions: PERMISSIONS },
  INSTANCE_USER_MANAGER: { scope: "instance", permissions: ["org.read", "user.read", "user.write", "user.delete"] },
  INSTANCE_VIEWER: { scope: "instance", permissions: PERMISSIONS.filter(isReadPermission) },
  ORG_OWNER: { scope: "org", permissions: PERMISSIONS.filter((name) => !name.startsWith("iam.")) },
  ORG_SETTINGS_MANAGER: {
    scope: "org",
    permissions: [
      "org.read",
      "org.idp.read",
      "org.idp.write",
      "org.app.read",
      "org.app.write",
      "policy.read",
      "policy.write",
    ],
  },
  ORG_USER_MANAGER: { scope: "org", permissions: ["org.read", "user.read", "user.write", "user.delete"] },
  ORG_VIEWER: { scope: "org", permissions: ["org.read", "org.idp.read", "org.app.read", "policy.read", "user.read"] },
} as const satisfies Record<string, RoleRule>;

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
export function hasPermission(role: string, permission: Permission): boolean {
  return isRole(role) && (ROLES[role].permissions as readonly string[]).includes(permission);
}

/** The permissions that at least one of the roles has. */
export function permissionsOf(roles: readonly string[]): Permission[] {
  return PERMISSIONS.filter((permission) => roles.some((role) => hasPermission(role, permission)));
}

/** Whether a permission allows nothing but reading. RPCs that require it are `read_only` in the contract. */
export function isReadPermission(permission: string): boolean {
  return permission.endsWith(".read");
}

/** Whether a permission applies to the instance rather than to an organization. */
export function isInstancePermission(permission: Requirement): boolean {
  return permission.startsWith("iam.");
}
