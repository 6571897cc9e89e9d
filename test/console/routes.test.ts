import { inOtherOrg, parseRoute, type Route, toPath } from "../../console/state/routes.ts";

const ROUTES: readonly [string, Route][] = [
  ["/console", { page: "home" }],
  ["/console/orgs", { page: "orgs" }],
  ["/console/orgs/1/users", { page: "users", orgId: "1" }],
  ["/console/orgs/1/users/2", { page: "user", orgId: "1", userId: "2" }],
  ["/console/orgs/1/settings", { page: "org", orgId: "1" }],
];

test.each(ROUTES)("%s is the address of a page", (path, route) => {
  expect(parseRoute(path)).toEqual(route);
  expect(parseRoute(`${path}/`)).toEqual(route);
  expect(toPath(route)).toBe(path);
});

test.each(["/console/nothing", "/console/orgs/1", "/console/orgs/1/users/2/3", "/console/orgs/1/settings/2", "/other"])(
  "%s is the address of no page",
  (path) => {
    expect(parseRoute(path)).toEqual({ page: "missing" });
  },
);

test("another organization keeps the page, and a user belongs to one only", () => {
  expect(inOtherOrg({ page: "users", orgId: "1" }, "2")).toEqual({ page: "users", orgId: "2" });
  expect(inOtherOrg({ page: "org", orgId: "1" }, "2")).toEqual({ page: "org", orgId: "2" });
  expect(inOtherOrg({ page: "user", orgId: "1", userId: "3" }, "2")).toEqual({ page: "users", orgId: "2" });
  expect(inOtherOrg({ page: "orgs" }, "2")).toEqual({ page: "users", orgId: "2" });
});
