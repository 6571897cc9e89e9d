/** A page of the console. */
export type Route =
  | { readonly page: "home" }
  | { readonly page: "orgs" }
  | { readonly page: "users"; readonly orgId: string }
  | { readonly page: "user"; readonly orgId: string; readonly userId: string }
  | { readonly page: "org"; readonly orgId: string }
  | { readonly page: "missing" };

/** @param path Such as `/console/orgs/<id>/users`. */
export function parseRoute(path: string): Route {
  const [, root, first, orgId, page, userId, ...more] = path.replace(/\/$/, "").split("/");
  if (root !== "console" || more.length > 0) return { page: "missing" };
  if (first === undefined) return { page: "home" };
  if (first !== "orgs") return { page: "missing" };
  if (orgId === undefined) return { page: "orgs" };
  if (page === "users") return userId === undefined ? { page: "users", orgId } : { page: "user", orgId, userId };
  if (page === "settings" && userId === undefined) return { page: "org", orgId };
  return { page: "missing" };
}

export function toPath(route: Route): string {
  switch (route.page) {
    case "home":
    case "missing":
      return "/console";
    case "orgs":
      return "/console/orgs";
    case "users":
      return `/console/orgs/${route.orgId}/users`;
    case "user":
      return `/console/orgs/${route.orgId}/users/${route.userId}`;
    case "org":
      return `/console/orgs/${route.orgId}/settings`;
    default:
      return route satisfies never;
  }
}

/** The same page of another organization. */
export function inOtherOrg(route: Route, orgId: string): Route {
  return route.page === "org" ? { page: "org", orgId } : { page: "users", orgId };
}

/** The organization that a page belongs to. */
export function orgOf(route: Route): string | undefined {
  return "orgId" in route ? route.orgId : undefined;
}
