import type { CallOptions } from "@connectrpc/connect";
import { inOrg } from "../../api/api.ts";
import { useSession } from "../../state/context.ts";
import { usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";

/** Whose providers a page shows. */
export interface ProviderOwner {
  /** Undefined for the instance. */
  readonly orgId: string | undefined;
  /** Whether the person may change them; undefined until it is known. */
  readonly mayChange: boolean | undefined;
  /** Whether the person may trust the addresses of a provider. */
  readonly mayTrust: boolean;
  call(signal?: AbortSignal): CallOptions;
  /** The address of the list, of a provider, or of a new one. */
  pathTo(id?: string): string;
}

/** @param orgId Undefined for the providers of the instance, with which users of all organizations can sign in. */
export function useOwner(orgId: string | undefined): ProviderOwner {
  const { me } = useSession();
  const permissions = usePermissions(orgId ?? me.orgId).value;
  const can = (name: string) => permissions?.can(name) ?? false;
  return {
    orgId,
    mayChange: permissions?.can(orgId === undefined ? "iam.idp.write" : "org.idp.write"),
    mayTrust: can("user.write") && can("org.member.write") && (orgId !== undefined || can("iam.member.write")),
    call: (signal) => (orgId === undefined ? (signal ? { signal } : {}) : inOrg(orgId, signal)),
    pathTo: (id) => {
      if (orgId === undefined) return toPath(id === undefined ? { page: "instanceIdps" } : { page: "instanceIdp", id });
      return toPath(id === undefined ? { page: "idps", orgId } : { page: "idp", orgId, id });
    },
  };
}
