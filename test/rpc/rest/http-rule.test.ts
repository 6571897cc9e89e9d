import { createFileRegistry, createRegistry, type DescMethod, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { http } from "../../../gen/google/api/annotations_pb.js";
import { AdminService } from "../../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import { createRestRoutes } from "../../../src/rpc/rest/http-rule.ts";

const OPTIONAL = "LABEL_OPTIONAL";
const FIELDS = [
  { name: "id", number: 1, type: "TYPE_STRING", label: OPTIONAL },
  { name: "kind", number: 2, type: "TYPE_INT32", label: OPTIONAL },
  { name: "tags", number: 3, type: "TYPE_STRING", label: "LABEL_REPEATED" },
  { name: "child", number: 4, type: "TYPE_MESSAGE", typeName: ".t.Input", label: OPTIONAL },
];

/** Methods M0, M1, … of a service, one for each rule; null makes a method without a rule. */
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

/** The result of a match in short: method and variables, the allowed HTTP methods, or undefined. */
function find(all: readonly DescMethod[], httpMethod: string, path: string) {
  const match = createRestRoutes(all).match(httpMethod, path);
  if (match.kind === "wrong-method") return match.allow;
  return match.kind === "found" ? { [match.method.name]: Object.fromEntries(match.variables) } : undefined;
}

describe("the routes of Signet", () => {
  const all = [...AdminService.methods, ...ManagementService.methods, ...AuthService.methods];
  test.each([
    ["POST", "/admin/v1/idps/oidc", { AddOIDCIDP: {} }],
    ["POST", "/management/v1/idps/oidc", { AddOrgOIDCIDP: {} }],
    ["POST", "/management/v1/users/human/_import", { ImportHumanUser: {} }],
    ["POST", "/management/v1/users/human/%5Fimport", { ImportHumanUser: {} }],
    ["PUT", "/management/v1/users/123/phone", { UpdateHumanPhone: { user_id: "123" } }],
    ["PUT", "/management/v1/users/a%2Fb%20%C3%BC/phone", { UpdateHumanPhone: { user_id: "a/b ü" } }],
    ["PUT", "/management/v1/users/a:b/phone", { UpdateHumanPhone: { user_id: "a:b" } }],
    ["GET", "/management/v1/users/123/phone", ["DELETE", "PUT"]],
    ["put", "/management/v1/users/123/phone", ["DELETE", "PUT"]],
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
  ])("route %s %s", (httpMethod, path, expected) => {
    expect(find(all, httpMethod, path)).toEqual(expected);
  });

  test("the body is the whole input", () => {
    expect(createRestRoutes(all).match("POST", "/admin/v1/idps/oidc")).toMatchObject({ kind: "found", body: "*" });
  });
});

describe("a template", () => {
  test.each([
    ["/a/{id}", "/a/x", { id: "x" }],
    ["/a/{id}", "/a/x/y", undefined],
    ["/a/{id}", "/a", undefined],
    ["/a/{id}", "/a/", undefined],
    ["/a/{id}/b", "/a/x/b", { id: "x" }],
    ["/a/{id}", "/a/%2f%2F%25", { id: "//%" }],
    ["/a/{id}/{kind}", "/a/x/5", { id: "x", kind: "5" }],
    ["/a/{id}/_go", "/a/x:y/_go", { id: "x:y" }],
    ["/a%20b/{id}", "/a%20b/x", { id: "x" }],
    ["/{id}/__proto__", "/constructor/__proto__", { id: "constructor" }],
  ])("%s is matched against %s", (template, path, expected) => {
    expect(find(methods({ get: template }), "GET", path)).toEqual(expected && { M0: expected });
  });

  test.each([
    ["a literal takes precedence over a variable", ["/a/{id}", "/a/b"], "/a/b", { M1: {} }],
    ["an earlier literal takes precedence over a later one", ["/{id}/b", "/a/{id}"], "/a/b", { M1: { id: "b" } }],
    ["a literal that leads nowhere gives way to a variable", ["/a/b/c", "/a/{id}/d"], "/a/b/d", { M1: { id: "b" } }],
    ["templates may name the same segment differently", ["/a/{id}/b", "/a/{kind}/c"], "/a/1/c", { M1: { kind: "1" } }],
  ])("%s", (_title, templates, path, expected) => {
    expect(find(methods(...templates.map((get) => ({ get }))), "GET", path)).toEqual(expected);
  });

  test("a literal path without the HTTP method gives way to a path with a variable", () => {
    const all = methods({ get: "/a/me" }, { delete: "/a/{id}" });
    expect(find(all, "DELETE", "/a/me")).toEqual({ M1: { id: "me" } });
    expect(find(all, "PUT", "/a/me")).toEqual(["DELETE", "GET", "HEAD"]);
    expect(find(all, "HEAD", "/a/me")).toEqual({ M0: {} });
  });

  test("each HTTP method of a path has its own rule and body", () => {
    const all = methods(
      null,
      { get: "/a/{id}" },
      { put: "/a/{id}", body: "*" },
      { patch: "/a/{id}", body: "child" },
      { delete: "/a/{kind}" },
      { post: "/a", body: "*" },
    );
    expect(find(all, "GET", "/a/1")).toEqual({ M1: { id: "1" } });
    expect(find(all, "DELETE", "/a/1")).toEqual({ M4: { kind: "1" } });
    expect(find(all, "POST", "/a/1")).toEqual(["DELETE", "GET", "HEAD", "PATCH", "PUT"]);
    const bodyOf = (httpMethod: string) => createRestRoutes(all).match(httpMethod, "/a/1");
    expect(bodyOf("GET")).toMatchObject({ body: "" });
    expect(bodyOf("PUT")).toMatchObject({ body: "*" });
    expect(bodyOf("PATCH")).toMatchObject({ body: "child" });
  });

  test("a path of many segments matches nothing", () => {
    const routes = createRestRoutes(methods({ get: "/{id}/{kind}/a" }, { get: "/a/{id}/b" }));
    expect(routes.match("GET", "/a".repeat(200_000)).kind).toBe("not-found");
  });
});

describe("createRestRoutes rejects", () => {
  test.each<[string, JsonObject[], string]>([
    ["the same path twice", [{ get: "/a/{id}" }, { get: "/a/{kind}" }], "already the route of rpc t.S.M0"],
    ["an unknown field", [{ get: "/{nope}" }], "t.Input has no field nope"],
    ["a repeated field", [{ get: "/{tags}" }], "must be a scalar or an enum"],
    ["a message", [{ get: "/{child}" }], "must be a scalar or an enum"],
    ["the same field twice", [{ get: "/{id}/{id}" }], "names id twice"],
    ["an unknown body", [{ post: "/a", body: "nope" }], "has no field nope"],
    ["additional bindings", [{ get: "/a", additionalBindings: [{ get: "/b" }] }], "only a pattern and a body"],
    ["no pattern", [{ body: "*" }], "no pattern"],
    ["a custom HTTP method", [{ custom: { kind: "HEAD", path: "/a" } }], "custom HTTP methods are not supported"],
    ...[
      "a",
      "",
      "/",
      "/a/",
      "//a",
      "/*",
      "/**",
      "/{id",
      "/id}",
      "/{}",
      "/{id=*}",
      "/{id=a/*}",
      "/{child.id}",
      "/{1}",
      "/x{id}",
      "/a:go",
      "/{id}:go",
      "/a b",
      "/%f",
    ].map((get): [string, JsonObject[], string] => [JSON.stringify(get), [{ get }], "not a supported path template"]),
  ])("%s", (_title, rules, message) => {
    expect(() => createRestRoutes(methods(...rules))).toThrow(message);
  });
});
