/** What the person may do in an organization, and on the instance. What they may not do is not offered. */
export interface Permissions {
  can(permission: string): boolean;
}

/** While they are not known. */
export const NO_PERMISSIONS: Permissions = { can: () => false };

export function toPermissions(names: readonly string[]): Permissions {
  return { can: (permission) => names.includes(permission) };
}
