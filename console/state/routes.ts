/** The pages of the instance: their addresses below `/console/`. */
export const INSTANCE_PAGES = {
  orgs: "orgs",
  instance: "instance",
  instanceMembers: "instance/members",
  instanceAudit: "instance/audit",
  instanceIdps: "idps",
  instanceSignInPage: "instance/sign-in",
} as const;

/** The pages of an organization: their addresses below `/console/orgs/<id>/`. */
export const ORG_PAGES = {
  overview: "",
  users: "users",
  import: "import",
  messages: "messages",
  audit: "audit",
  apps: "apps",
  apis: "apis",
  idps: "idps",
  signInPage: "sign-in",
  webhooks: "webhooks",
  org: "settings",
} as const;

/** The pages of one object, and the pages with the lists that it is in. */
const ITEM_LISTS = { app: "apps", api: "apis", idp: "idps", webhook: "webhooks" } as const;

export type InstancePage = keyof typeof INSTANCE_PAGES;
export type OrgPage = keyof typeof ORG_PAGES;
export type ItemPage = keyof typeof ITEM_LISTS;

/** A page of the console. */
export type Route =
  | { readonly page: "home" | "missing" | InstancePage }
  | { readonly page: OrgPage; readonly orgId: string }
  | { readonly page: "user"; readonly orgId: string; readonly userId: string }
  /** The id is `NEW` for an object that is being added. */
  | { readonly page: ItemPage; readonly orgId: string; readonly id: string }
  | { readonly page: "instanceIdp"; readonly id: string };

/** In place of an id, the object that is being added. */
export const NEW = "new";

/** @param path Such as `/console/orgs/<id>/users`. */
export function parseRoute(path: string): Route {
  const [, root, ...rest] = path.replace(/\/$/, "").split("/");
  if (root !== "console") return { page: "missing" };
  if (rest.length === 0) return { page: "home" };
  const page = keyOf(INSTANCE_PAGES, rest.join("/"));
  if (page !== undefined) return { page };
  const [first, second = "", ...below] = rest;
  if (first === INSTANCE_PAGES.instanceIdps && below.length === 0) return { page: "instanceIdp", id: second };
  if (first !== "orgs" || second === "") return { page: "missing" };
  return parseOrgRoute(second, below);
}

function parseOrgRoute(orgId: string, below: readonly string[]): Route {
  const orgPage = keyOf(ORG_PAGES, below.join("/"));
  if (orgPage !== undefined) return { page: orgPage, orgId };
  const [list, id = "", ...more] = below;
  if (id === "" || more.length > 0) return { page: "missing" };
  if (list === ORG_PAGES.users) return { page: "user", orgId, userId: id };
  const itemPage = (Object.keys(ITEM_LISTS) as ItemPage[]).find((each) => ORG_PAGES[ITEM_LISTS[each]] === list);
  return itemPage === undefined ? { page: "missing" } : { page: itemPage, orgId, id };
}

export function toPath(route: Route): string {
  if ("userId" in route) return `${toPath({ page: "users", orgId: route.orgId })}/${route.userId}`;
  if (route.page === "instanceIdp") return `${toPath({ page: "instanceIdps" })}/${route.id}`;
  if ("id" in route) return `${toPath({ page: ITEM_LISTS[route.page], orgId: route.orgId })}/${route.id}`;
  if ("orgId" in route) return `/console/orgs/${route.orgId}/${ORG_PAGES[route.page]}`.replace(/\/$/, "");
  return route.page === "home" || route.page === "missing" ? "/console" : `/console/${INSTANCE_PAGES[route.page]}`;
}

/** The same page of another organization. An object belongs to one only, so its list takes its place. */
export function inOtherOrg(route: Route, orgId: string): Route {
  if (!("orgId" in route) || "userId" in route) return { page: "users", orgId };
  return { page: "id" in route ? ITEM_LISTS[route.page] : route.page, orgId };
}

/** The organization that a page belongs to. */
export function orgOf(route: Route): string | undefined {
  return "orgId" in route ? route.orgId : undefined;
}

function keyOf<Key extends string>(table: Readonly<Record<Key, string>>, path: string): Key | undefined {
  return (Object.keys(table) as Key[]).find((key) => table[key] === path);
}
