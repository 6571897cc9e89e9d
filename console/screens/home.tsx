import { useEffect } from "preact/hooks";
import { useSession } from "../state/context.ts";
import { go } from "../state/location.ts";
import { usePermissions } from "../state/permissions.ts";
import { toPath } from "../state/routes.ts";
import { firstOrg } from "../state/session.ts";

/** Begins with the users of the first organization, or with its settings for somebody who may not read users. */
export function Home() {
  const orgId = firstOrg(useSession());
  const permissions = usePermissions(orgId).value;
  useEffect(() => {
    if (permissions === undefined) return;
    go(toPath({ page: permissions.can("user.read") ? "users" : "org", orgId }), { replace: true });
  }, [permissions]);
  return null;
}
