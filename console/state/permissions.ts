import { type Permissions, toPermissions, useApi } from "./session.ts";
import { type Loaded, useLoad } from "./use-load.ts";

export type { Permissions } from "./session.ts";

/** @param orgId Undefined loads nothing. */
export function usePermissions(orgId: string | undefined): Loaded<Permissions> {
  const api = useApi(orgId);
  return useLoad(orgId && `permissions ${orgId}`, async (signal) => {
    return toPermissions((await api.auth.listMyPermissions({}, { signal })).result);
  });
}

/** Whether the person has a permission in an organization; false until it is known. */
export function useMay(orgId: string, permission: string): boolean {
  return usePermissions(orgId).value?.can(permission) ?? false;
}
