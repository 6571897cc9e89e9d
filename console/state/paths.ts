import { namesOf } from "./tables.ts";

/** The pages of the console and their addresses. `:id` is the id of an object, or `NEW`, and `:tab?` a tab besides the first. */
const PATHS = {
  home: "/console",
  orgs: "/console/orgs",
  instance: "/console/instance",
  instanceMembers: "/console/instance/members",
  instanceAudit: "/console/instance/audit",
  instanceIdps: "/console/idps",
  instanceIdp: "/console/idps/:id",
  instanceSignInPage: "/console/instance/sign-in/:tab?",
  overview: "/console/orgs/:orgId",
  users: "/console/orgs/:orgId/users",
  user: "/console/orgs/:orgId/users/:id/:tab?",
  import: "/console/orgs/:orgId/import",
  messages: "/console/orgs/:orgId/messages",
  audit: "/console/orgs/:orgId/audit",
  apps: "/console/orgs/:orgId/apps",
  app: "/console/orgs/:orgId/apps/:id/:tab?",
  apis: "/console/orgs/:orgId/apis",
  api: "/console/orgs/:orgId/apis/:id",
  idps: "/console/orgs/:orgId/idps",
  idp: "/console/orgs/:orgId/idps/:id",
  scim: "/console/orgs/:orgId/scim",
  scimConnection: "/console/orgs/:orgId/scim/:id/:tab?",
  signInPage: "/console/orgs/:orgId/sign-in/:tab?",
  webhooks: "/console/orgs/:orgId/webhooks",
  webhook: "/console/orgs/:orgId/webhooks/:id",
  org: "/console/orgs/:orgId/settings",
} as const;

export type Page = keyof typeof PATHS;

/** The ids in the address of a page. */
export type Ids<Name extends Page> = ((typeof PATHS)[Name] extends `${string}/:orgId${string}`
  ? { readonly orgId: string }
  : { readonly orgId?: never }) &
  ((typeof PATHS)[Name] extends `${string}/:id${string}` ? { readonly id: string } : object) &
  ((typeof PATHS)[Name] extends `${string}/:tab?` ? { readonly tab?: string | undefined } : object);

/** A page with its ids. */
export type Route = { [Name in Page]: { readonly page: Name } & Ids<Name> }[Page] | { readonly page: "missing" };

/** In place of an id, the object that is being added. */
export const NEW = "new";

const PAGES = namesOf(PATHS);
const PATTERNS = PAGES.map(
  (page) =>
    [
      page,
      new RegExp(`^${PATHS[page].replace("/:tab?", "(?:/:tab)?").replace(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`),
    ] as const,
);

/** @param path Such as `/console/orgs/<id>/users`. */
export function parseRoute(path: string): Route {
  for (const [page, pattern] of PATTERNS) {
    const match = pattern.exec(path);
    if (match !== null) return { page, ...match.groups } as Route;
  }
  return { page: "missing" };
}

export function toPath(route: Route): string {
  const ids: Readonly<Record<string, string | undefined>> = route;
  if (route.page === "missing") return PATHS.home;
  const path = PATHS[route.page].replace(/:(\w+)\??/g, (_, name) => ids[name] ?? "");
  return path.replace(/\/$/, "");
}

/** The address without the tab. */
export function toFirstTab(route: Route): string {
  return toPath({ ...route, tab: undefined } as Route);
}

/** The same page of another organization. An object belongs to one only, so its list takes its place. */
export function inOtherOrg(route: Route, orgId: string): Route {
  if (!("orgId" in route)) return { page: "users", orgId };
  const path = toFirstTab({ ...route, orgId } as Route);
  return parseRoute("id" in route ? path.slice(0, path.lastIndexOf("/")) : path);
}

/** Whether a page belongs to the instance. */
export function isOfInstancePage({ page }: Route): boolean {
  return page === "orgs" || page.startsWith("instance");
}

/** The organization that a page belongs to. */
export function orgOf(route: Route): string | undefined {
  return "orgId" in route ? route.orgId : undefined;
}
