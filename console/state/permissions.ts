import { inOrg } from "../api/api.ts";
import { useSession } from "./context.ts";
import { type Permissions, toPermissions } from "./permission-set.ts";
import { type Loaded, useLoad } from "./use-load.ts";

export type { Permissions } from "./permission-set.ts";

export function usePermissions(orgId: string): Loaded<Permissions> {
  const { api } = useSession();
  return useLoad(`permissions ${orgId}`, async (signal) => {
    return toPermissions((await api.auth.listMyPermissions({}, inOrg(orgId, signal))).result);
  });
}
