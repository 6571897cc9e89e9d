import { inOtherOrg, parseRoute, type Route, toPath } from "../../console/state/paths.ts";

const ROUTES: readonly [string, Route][] = [
  ["/console", { page: "home" }],
  ["/console/orgs", { page: "orgs" }],
  ["/console/instance", { page: "instance" }],
  ["/console/instance/members", { page: "instanceMembers" }],
  ["/console/instance/audit", { page: "instanceAudit" }],
  ["/console/orgs/1", { page: "overview", orgId: "1" }],
  ["/console/orgs/1/users", { page: "users", orgId: "1" }],
  ["/console/orgs/1/import", { page: "import", orgId: "1" }],
  ["/console/orgs/1/users/2", { page: "user", orgId: "1", id: "2" }],
  ["/console/orgs/1/users/2/security", { page: "user", orgId: "1", id: "2", tab: "security" }],
  ["/console/orgs/1/sign-in/policy", { page: "signInPage", orgId: "1", tab: "policy" }],
  ["/console/orgs/1/messages", { page: "messages", orgId: "1" }],
  ["/console/orgs/1/audit", { page: "audit", orgId: "1" }],
  ["/console/orgs/1/settings", { page: "org", orgId: "1" }],
  ["/console/orgs/1/apps", { page: "apps", orgId: "1" }],
  ["/console/orgs/1/apps/new", { page: "app", orgId: "1", id: "new" }],
  ["/console/orgs/1/apps/2", { page: "app", orgId: "1", id: "2" }],
  ["/console/orgs/1/idps", { page: "idps", orgId: "1" }],
  ["/console/orgs/1/idps/2", { page: "idp", orgId: "1", id: "2" }],
  ["/console/idps", { page: "instanceIdps" }],
  ["/console/instance/sign-in", { page: "instanceSignInPage" }],
  ["/console/idps/2", { page: "instanceIdp", id: "2" }],
  ["/console/orgs/1/sign-in", { page: "signInPage", orgId: "1" }],
  ["/console/orgs/1/apis", { page: "apis", orgId: "1" }],
  ["/console/orgs/1/apis/2", { page: "api", orgId: "1", id: "2" }],
  ["/console/orgs/1/webhooks", { page: "webhooks", orgId: "1" }],
  ["/console/orgs/1/webhooks/2", { page: "webhook", orgId: "1", id: "2" }],
];

test.each(ROUTES)("%s is the address of a page", (path, route) => {
  expect(parseRoute(path)).toEqual(route);
  expect(parseRoute(`${path}/`)).toEqual(route);
  expect(toPath(route)).toBe(path);
});

test.each([
  "/console/nothing",
  "/console/orgs//users",
  "/console/orgs/1/nothing",
  "/console/orgs/1/users/2/3/4",
  "/console/orgs/1/settings/2",
  "/console/instance/nothing",
  "/console/orgs/1/constructor",
  "/console/constructor",
  "/console/orgs/1/sign-in/2/3",
  "/console/idps/1/2",
  "/other",
])("%s is the address of no page", (path) => {
  expect(parseRoute(path)).toEqual({ page: "missing" });
});

test("another organization keeps the page, and a user belongs to one only", () => {
  for (const page of [
    "overview",
    "users",
    "messages",
    "audit",
    "apps",
    "idps",
    "signInPage",
    "webhooks",
    "apis",
    "org",
  ] as const) {
    expect(inOtherOrg({ page, orgId: "1" }, "2")).toEqual({ page, orgId: "2" });
  }
  expect(inOtherOrg({ page: "user", orgId: "1", id: "3" }, "2")).toEqual({ page: "users", orgId: "2" });
  expect(inOtherOrg({ page: "app", orgId: "1", id: "3" }, "2")).toEqual({ page: "apps", orgId: "2" });
  expect(inOtherOrg({ page: "orgs" }, "2")).toEqual({ page: "users", orgId: "2" });
});
