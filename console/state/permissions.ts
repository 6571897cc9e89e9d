import { inOrg } from "../api/api.ts";
import { useSession } from "./context.ts";
import { type Loaded, useLoad } from "./use-load.ts";

/** What the person may do in an organization. What they may not do is not offered. */
export interface Permissions {
  can(permission: string): boolean;
}

export function usePermissions(orgId: string): Loaded<Permissions> {
  const { api } = useSession();
  return useLoad(`permissions ${orgId}`, async (signal) => {
    const { result } = await api.auth.listMyPermissions({}, inOrg(orgId, signal));
    return { can: (permission: string) => result.includes(permission) };
  });
}
