import { createFileRegistry, createRegistry, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { http } from "../../../gen/google/api/annotations_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import { readMessage } from "../../../src/rpc/json/read-message.ts";
import { createRestRoutes, type FoundRoute } from "../../../src/rpc/rest/http-rule.ts";
import { toRequestJson } from "../../../src/rpc/rest/rest-request.ts";
import { violation } from "../violation.ts";

const field = (number: number, name: string, type: string, more: object = {}) => ({
  name,
  jsonName: name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  number,
  type: `TYPE_${type}`,
  label: "LABEL_OPTIONAL",
  ...more,
});

const file = fromJson(
  FileDescriptorProtoSchema,
  {
    name: "t.proto",
    package: "t",
    syntax: "proto3",
    enumType: [
      {
        name: "Color",
        value: [
          { name: "RED", number: 0 },
          { name: "BLUE", number: 1 },
        ],
      },
    ],
    messageType: [
      {
        name: "Input",
        oneofDecl: [{ name: "_note" }],
        field: [
          field(1, "item_id", "STRING"),
          field(2, "count", "INT64"),
          field(3, "is_new", "BOOL"),
          field(4, "color", "ENUM", { typeName: ".t.Color" }),
          field(5, "tags", "STRING", { label: "LABEL_REPEATED" }),
          field(6, "flags", "BOOL", { label: "LABEL_REPEATED" }),
          field(7, "child", "MESSAGE", { typeName: ".t.Input" }),
          field(8, "children", "MESSAGE", { typeName: ".t.Input", label: "LABEL_REPEATED" }),
          field(11, "note", "STRING", { proto3Optional: true, oneofIndex: 0 }),
          field(12, "constructor", "STRING"),
          field(13, "to_string", "MESSAGE", { typeName: ".t.Input" }),
        ],
      },
    ],
    service: [
      {
        name: "S",
        method: [
          ["Get", { get: "/get/{item_id}" }],
          ["Child", { patch: "/child/{item_id}", body: "child" }],
          ["Tags", { post: "/tags", body: "tags" }],
          ["All", { put: "/all/{count}/{note}/{color}", body: "*" }],
          ["Built", { put: "/built/{constructor}", body: "*" }],
        ].map(([name, rule]) => ({
          name,
          inputType: ".t.Input",
          outputType: ".t.Input",
          options: { "[google.api.http]": rule },
        })) as JsonValue,
      },
    ],
  } as JsonValue,
  { registry: createRegistry(http) },
);
const registry = createFileRegistry(file, () => undefined);
const routes = createRestRoutes([...(registry.getService("t.S")?.methods ?? []), ...ManagementService.methods]);

/** The JSON form of the input for a request. */
function request(httpMethod: string, target: string, body?: JsonValue) {
  const url = new URL(target, "http://localhost");
  return toRequestJson(found(httpMethod, url.pathname), url.searchParams, body);
}

function found(httpMethod: string, path: string): FoundRoute {
  const match = routes.match(httpMethod, path);
  if (match.kind !== "found") throw new Error(`${path}: ${match.kind}`);
  return match;
}

describe("toRequestJson combines", () => {
  const phone = "/management/v1/users/7/phone";
  const patch = "/management/v1/apps/7/oidc_config";
  test.each<[string, string, string, JsonValue | undefined, JsonValue]>([
    ["path and body", "PUT", phone, { phone: "+41" }, { userId: "7", phone: "+41" }],
    ["the path alone", "PUT", phone, undefined, { userId: "7" }],
    ["path and body that agree", "PUT", phone, { userId: "7" }, { userId: "7" }],
    ["path and body that agree, by the proto name", "PUT", phone, { user_id: "7" }, { user_id: "7" }],
    ["the path and null in the body", "PUT", phone, { userId: null }, { userId: "7" }],
    ["the path and the default value in the body", "PUT", phone, { userId: "" }, { userId: "7" }],
    [
      "path and body that agree in different forms",
      "PUT",
      "/all/5/x/BLUE",
      { count: 5, color: 1 },
      { count: "5", note: "x", color: "BLUE" },
    ],
    ["the number of an enum", "PUT", "/all/5/x/1", {}, { count: "5", note: "x", color: 1 }],
    ["the path and a field", "PATCH", "/child/7", { count: 1 }, { itemId: "7", child: { count: 1 } }],
    ["the path and a field of null", "PATCH", "/child/7", null, { itemId: "7", child: null }],
    [
      "path, query and a field",
      "PATCH",
      "/child/7?count=5",
      { itemId: "8" },
      { itemId: "7", count: "5", child: { itemId: "8" } },
    ],
    [
      "the fields of the body as a mask, without those in the path",
      "PATCH",
      patch,
      { appId: "7", dev_mode: false, jwksUri: null },
      { appId: "7", dev_mode: false, jwksUri: null, updateMask: "devMode,jwksUri" },
    ],
    [
      "a mask, and another field",
      "PATCH",
      patch,
      { devMode: true, update_mask: "jwks" },
      { appId: "7", devMode: true, update_mask: "jwks" },
    ],
    [
      "an empty mask, which names nothing",
      "PATCH",
      patch,
      { updateMask: "", devMode: true },
      { appId: "7", updateMask: "", devMode: true },
    ],
    ["a mask of null", "PATCH", patch, { update_mask: null, jwks: "" }, { appId: "7", jwks: "", update_mask: "jwks" }],
    ["nothing, without a mask", "PATCH", patch, {}, { appId: "7" }],
    ["a path into a field that every object inherits", "PUT", "/built/7", {}, { constructor: "7" }],
    [
      "query parameters with such names",
      "GET",
      "/get/7?toString.constructor=8",
      undefined,
      { itemId: "7", toString: { constructor: "8" } },
    ],
    ["query and a body that is an array", "POST", "/tags?item_id=1", ["a"], { itemId: "1", tags: ["a"] }],
    ["path and query", "GET", "/get/7?count=5&isNew=true", undefined, { itemId: "7", count: "5", isNew: true }],
    ["path and query, by proto names", "GET", "/get/7?is_new=false", undefined, { itemId: "7", isNew: false }],
    [
      "a repeated parameter",
      "GET",
      "/get/7?tags=a&tags=&flags=true",
      undefined,
      { itemId: "7", tags: ["a", ""], flags: [true] },
    ],
    [
      "nested parameters",
      "GET",
      "/get/7?child.item_id=8&child.child.itemId=9",
      undefined,
      { itemId: "7", child: { itemId: "8", child: { itemId: "9" } } },
    ],
    [
      "an enum by name or number",
      "GET",
      "/get/7?color=BLUE&child.color=1",
      undefined,
      { itemId: "7", color: "BLUE", child: { color: 1 } },
    ],
  ])("%s", (_title, httpMethod, target, body, expected) => {
    const json = request(httpMethod, target, body);
    expect(json).toEqual(expected);
    const { input } = found(httpMethod, new URL(target, "http://localhost").pathname).method;
    expect(() => readMessage(input, json)).not.toThrow();
  });

  test("toRequestJson does not change the body", () => {
    const body = { phone: "+41" };
    expect(request("PUT", "/management/v1/users/7/phone", body)).toEqual({ userId: "7", phone: "+41" });
    expect(body).toEqual({ phone: "+41" });
  });
});

describe("toRequestJson rejects", () => {
  const phone = "/management/v1/users/7/phone";
  const differs = "has one value in the path and another in the body";
  test.each<[string, string, string, JsonValue | undefined, string, string]>([
    ["another value in the body", "PUT", phone, { userId: "8" }, "userId", differs],
    ["another value in the body, by the proto name", "PUT", phone, { user_id: "8" }, "userId", differs],
    ["a value of another type in the body", "PUT", phone, { userId: 7 }, "userId", differs],
    ["an empty value in the body for a field with presence", "PUT", "/all/5/x/BLUE", { note: "" }, "note", differs],
    ["a long number in the body", "PUT", "/all/5/x/BLUE", { count: "5".repeat(1_000_000) }, "count", differs],
    ["an array as the body", "PUT", phone, [], "", "the body must be a JSON object"],
    ["null as the body", "PUT", phone, null, "", "the body must be a JSON object"],
    ["a string as the body", "PUT", phone, "secret", "", "the body must be a JSON object"],
    ["a body for a method without one", "GET", "/get/7", {}, "", "this request must not have a body"],
    [
      "a parameter for a field of the body",
      "PUT",
      `${phone}?phone=1`,
      {},
      "phone",
      "must not be a query parameter: it belongs in the body",
    ],
    [
      "a parameter within the field that is the body",
      "PATCH",
      "/child/7?child.count=1",
      {},
      "child.count",
      "must not be a query parameter: it belongs in the body",
    ],
    [
      "a parameter for a field of the path",
      "GET",
      "/get/7?itemId=7",
      undefined,
      "itemId",
      "must not be a query parameter: it is part of the path",
    ],
    [
      "an unknown parameter",
      "GET",
      `/get/7?${"n".repeat(60)}=1`,
      undefined,
      "n".repeat(50),
      "is not a known query parameter",
    ],
    [
      "an unknown parameter where the body is the whole input",
      "PUT",
      `${phone}?token=1`,
      {},
      "token",
      "is not a known query parameter",
    ],
    ["__proto__", "GET", "/get/7?__proto__.x=1", undefined, "__proto__.x", "is not a known query parameter"],
    [
      "a parameter within a repeated message",
      "GET",
      "/get/7?children.count=1",
      undefined,
      "children.count",
      "is not a known query parameter",
    ],
    [
      "a message as a parameter",
      "GET",
      "/get/7?child=x",
      undefined,
      "child",
      "cannot be a query parameter, only its fields can",
    ],
    [
      "repeated messages",
      "GET",
      "/get/7?children=x",
      undefined,
      "children",
      "cannot be a query parameter, only its fields can",
    ],
    [
      "a singular field given twice",
      "GET",
      "/get/7?isNew=true&is_new=true",
      undefined,
      "isNew",
      "must not be given more than once",
    ],
    ["a boolean in another form", "GET", "/get/7?isNew=1", undefined, "isNew", "must be true or false"],
  ])("%s", (_title, httpMethod, target, body, path, description) => {
    expect(violation(() => request(httpMethod, target, body))).toEqual({ field: path, description });
  });

  test("readMessage rejects a field of the path that the body has by both names", () => {
    const json = request("PUT", phone, { userId: "7", user_id: "7" });
    const { input } = found("PUT", phone).method;
    expect(violation(() => readMessage(input, json))?.field).toBe("userId");
  });
});
