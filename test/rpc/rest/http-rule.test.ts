import { createFileRegistry, createRegistry, type DescMethod, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "@jest/globals";
import { http } from "../../../gen/google/api/annotations_pb.js";
import { AdminService } from "../../../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import { createRestRoutes } from "../../../src/rpc/rest/http-rule.ts";

const OPTIONAL = "LABEL_OPTIONAL";
const FIELDS = [
  { name: "id", number: 1, type: "TYPE_STRING", label: OPTIONAL },
  { name: "kind", number: 2, type: "TYPE_INT32", label: OPTIONAL },
  { name: "tags", number: 3, type: "TYPE_STRING", label: "LABEL_REPEATED" },
  { name: "child", number: 4, type: "TYPE_MESSAGE", typeName: ".t.Input", label: OPTIONAL },
];

/** Methods M0, M1, … of a service, one for each rule; null stands for a method without one. */
function methods(...rules: (JsonObject | null)[]): readonly DescMethod[] {
  const method = rules.map((rule, index) => ({
    name: `M${index}`,
    inputType: ".t.Input",
    outputType: ".t.Input",
    ...(rule && { options: { "[google.api.http]": rule } }),
  }));
  const file = fromJson(
    FileDescriptorProtoSchema,
    {
      name: "t.proto",
      package: "t",
      syntax: "proto3",
      messageType: [{ name: "Input", field: FIELDS }],
      service: [{ name: "S", method }],
    },
    { registry: createRegistry(http) },
  );
  const registry = createFileRegistry(file, () => undefined);
  return registry.getService("t.S")?.methods ?? [];
}

/** What a request finds, in short: method and variables, the allowed methods, or nothing. */
function find(all: readonly DescMethod[], httpMethod: string, path: string) {
  const match = createRestRoutes(all).match(httpMethod, path);
  if (match.kind === "wrong-method") return match.allow;
  return match.kind === "found" ? { [match.method.name]: Object.fromEntries(match.variables) } : undefined;
}

describe("the routes of Signet", () => {
  const all = [...AdminService.methods, ...ManagementService.methods];
  test.each([
    ["POST", "/admin/v1/idps/oidc", { AddOIDCIDP: {} }],
    ["POST", "/management/v1/idps/oidc", { AddOrgOIDCIDP: {} }],
    ["POST", "/management/v1/users/human/_import", { ImportHumanUser: {} }],
    ["POST", "/management/v1/users/human/%5Fimport", { ImportHumanUser: {} }],
    ["PUT", "/management/v1/users/123/phone", { UpdateHumanPhone: { user_id: "123" } }],
    ["PUT", "/management/v1/users/a%2Fb%20%C3%BC/phone", { UpdateHumanPhone: { user_id: "a/b ü" } }],
    ["PUT", "/management/v1/users/a:b/phone", { UpdateHumanPhone: { user_id: "a:b" } }],
    ["GET", "/management/v1/users/123/phone", ["PUT"]],
    ["put", "/management/v1/users/123/phone", ["PUT"]],
    ["PUT", "/management/v1/users//phone", undefined],
    ["PUT", "/management/v1/users/123/phone/", undefined],
    ["PUT", "/management/v1/users/%/phone", undefined],
    ["PUT", "/management/v1/users/%ff/phone", undefined],
    ["PUT", "/management/v1/users/%C3/phone", undefined],
    ["POST", "/Admin/v1/idps/oidc", undefined],
    ["POST", "//admin/v1/idps/oidc", undefined],
    ["POST", "/", undefined],
    ["POST", "", undefined],
    ["OPTIONS", "*", undefined],
  ])("%s %s", (httpMethod, path, expected) => {
    expect(find(all, httpMethod, path)).toEqual(expected);
  });

  test("the body is the whole input", () => {
    expect(createRestRoutes(all).match("POST", "/admin/v1/idps/oidc")).toMatchObject({ kind: "found", body: "*" });
  });
});

describe("templates", () => {
  test.each([
    ["/a/*", "/a/x", {}],
    ["/a/*", "/a/x/y", undefined],
    ["/a/*", "/a", undefined],
    ["/a/*", "/a/", undefined],
    ["/a/**", "/a", {}],
    ["/a/**", "/a/x/y", {}],
    ["/a/{id}/b", "/a/x/b", { id: "x" }],
    ["/a/{id=*}", "/a/%2f%2F%25", { id: "//%" }],
    ["/{id=a/*}", "/a/x%2Fy%20z", { id: "a/x%2Fy z" }],
    ["/{id=a/*/b/*}/c", "/a/x/b/y/c", { id: "a/x/b/y" }],
    ["/a/{id=**}", "/a/x/%2f%252f/%C3%BC", { id: "x/%2f%2f/ü" }],
    ["/a/{id=**}", "/a", { id: "" }],
    ["/a/{id=b/**}", "/a/b/c/d", { id: "b/c/d" }],
    ["/a/{id=**}:go", "/a/x/y:go", { id: "x/y" }],
    ["/a/{child.id}/{child.child.kind}", "/a/x/5", { "child.id": "x", "child.child.kind": "5" }],
    ["/a/{id}:go", "/a/x:go", { id: "x" }],
    ["/a/{id}:go", "/a/x:y:go", { id: "x:y" }],
    ["/a/{id}:go", "/a/x:stop", undefined],
    ["/a/{id}:go", "/a/:go", undefined],
    ["/a/{id}:go", "/a/x%3Ago", undefined],
    ["/a/b:go", "/a/b:go", {}],
    ["/a%20b/{id}", "/a%20b/x", { id: "x" }],
    ["/{id}/__proto__", "/constructor/__proto__", { id: "constructor" }],
  ])("%s with %s", (template, path, expected) => {
    expect(find(methods({ get: template }), "GET", path)).toEqual(expected && { M0: expected });
  });

  test.each([
    ["a literal wins over a variable", ["/a/{id}", "/a/b"], "/a/b", { M1: {} }],
    ["a variable wins over **", ["/a/{id=**}", "/a/{id}"], "/a/b", { M1: { id: "b" } }],
    ["an earlier literal wins over a later one", ["/{id}/b", "/a/{id}"], "/a/b", { M1: { id: "b" } }],
    ["a literal that leads nowhere is left again", ["/a/b/c", "/a/{id}/d"], "/a/b/d", { M1: { id: "b" } }],
    ["a verb wins over a variable that could hold it", ["/a/{id}", "/a/{id}:go"], "/a/x:go", { M1: { id: "x" } }],
    ["a verb of another path is part of the variable", ["/a/{id}", "/b/{id}:go"], "/a/x:go", { M0: { id: "x:go" } }],
  ])("%s", (_title, templates, path, expected) => {
    expect(find(methods(...templates.map((get) => ({ get }))), "GET", path)).toEqual(expected);
  });

  test("a more special path without the HTTP method leaves the request to a more general one", () => {
    const all = methods({ get: "/a/me" }, { delete: "/a/{id}" });
    expect(find(all, "DELETE", "/a/me")).toEqual({ M1: { id: "me" } });
    expect(find(all, "PUT", "/a/me")).toEqual(["DELETE", "GET"]);
  });

  test("additional bindings, custom methods and methods without a rule", () => {
    const binding = { custom: { kind: "HEAD", path: "/b/{id}" }, body: "child" };
    const all = methods(
      null,
      { patch: "/a", additionalBindings: [binding] },
      { custom: { kind: "*", path: "/b/{id}" } },
    );
    expect(find(all, "PATCH", "/a")).toEqual({ M1: {} });
    expect(find(all, "HEAD", "/b/x")).toEqual({ M1: { id: "x" } });
    expect(find(all, "BREW", "/b/x")).toEqual({ M2: { id: "x" } });
    expect(createRestRoutes(all).match("HEAD", "/b/x")).toMatchObject({ body: "child" });
  });

  test("a path of many segments takes no longer than its length", () => {
    const routes = createRestRoutes(methods({ get: "/{id=**}:go" }, { get: "/*/*/*/*/x" }));
    const path = "/a:go".repeat(200_000);
    const begin = performance.now();
    expect(routes.match("GET", path).kind).toBe("found");
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});

describe("rules that stop the start", () => {
  test.each<[string, JsonObject[], string]>([
    ["the same path twice", [{ get: "/a/{id}" }, { get: "/a/{kind}" }], "already the route of rpc t.S.M0"],
    [
      "the same path by an additional binding",
      [{ get: "/a", additionalBindings: [{ get: "/a" }] }],
      "already the route",
    ],
    ["an unknown field", [{ get: "/{nope}" }], "t.Input has no field nope"],
    ["an unknown nested field", [{ get: "/{child.nope}" }], "t.Input has no field child.nope"],
    ["a field below a scalar", [{ get: "/{id.x}" }], "t.Input has no field id.x"],
    ["a repeated field", [{ get: "/{tags}" }], "must be a scalar or an enum"],
    ["a message", [{ get: "/{child}" }], "must be a scalar or an enum"],
    ["the same field twice", [{ get: "/{id}/{id}" }], "names a field twice"],
    ["an unknown body", [{ post: "/a", body: "nope" }], "has no field nope"],
    [
      "nested additional bindings",
      [{ get: "/a", additionalBindings: [{ get: "/b", additionalBindings: [{}] }] }],
      "nested",
    ],
    ["no pattern", [{ body: "*" }], "no pattern"],
    ["a custom kind that is no method", [{ custom: { kind: "a b", path: "/a" } }], "no HTTP method"],
    ["something after **", [{ get: "/**/a" }], "may follow **"],
    ...[
      "a",
      "",
      "/",
      "/a/",
      "//a",
      "/{id",
      "/id}",
      "/{}",
      "/{id=}",
      "/{a={b}}",
      "/{1}",
      "/x{id}",
      "/a:",
      "/a:*",
      "/a b",
      "/%f",
    ].map((get): [string, JsonObject[], string] => [JSON.stringify(get), [{ get }], "no path template"]),
  ])("%s", (_title, rules, message) => {
    expect(() => createRestRoutes(methods(...rules))).toThrow(message);
  });
});
