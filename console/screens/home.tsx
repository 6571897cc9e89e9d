import { useEffect } from "preact/hooks";
import { go } from "../state/location.ts";
import { toPath } from "../state/paths.ts";
import { firstOrg, useSession } from "../state/session.ts";

/** Begins with the overview of the first organization. */
export function Home() {
  const orgId = firstOrg(useSession());
  useEffect(() => go(toPath({ page: "overview", orgId }), { replace: true }), []);
  return null;
}
