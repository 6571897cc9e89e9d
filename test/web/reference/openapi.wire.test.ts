import type { JsonObject } from "@bufbuild/protobuf";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { Validator } from "@seriousme/openapi-schema-validator";
import { http } from "../../../gen/google/api/annotations_pb.js";
import { AdminService } from "../../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import { REASONS } from "../../../src/errors.ts";
import { SAML_METADATA } from "../../support/saml/metadata.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createTestWebhook } from "../../support/webhooks/webhook.ts";
import { createCompile, operationsOf, readOpenApi } from "./openapi.ts";

const document = readOpenApi();
const operations = operationsOf(document);
const compile = createCompile(document);
const JSON_TYPE = "application/json";

test("the document is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document) as never)).toMatchObject({ valid: true });
  expect(validator.version).toBe("3.1");
});

test("each method of the contract with a route is an operation, with its permission", () => {
  const methods = [...AdminService.methods, ...ManagementService.methods, ...AuthService.methods];
  const routed = methods.filter((method) => hasOption(method, http));
  expect(methods.filter((method) => !routed.includes(method)).map(({ name }) => name)).toEqual([
    "WatchEvents",
    "WatchEvents",
  ]);
  const routes = routed.map((method) => {
    const { pattern } = getOption(method, http);
    const path = String(pattern.value).replace(/_(\w)(?=\w*\})/g, (_, letter: string) => letter.toUpperCase());
    return [`${method.parent.name}_${method.name}`, pattern.case, path];
  });
  const shown = operations.map(({ path, method, operation }) => [
    operation.operationId,
    method,
    // These RPCs name the id differently than the other calls with the same path.
    /_Get((Org)?IDP|Org)ByID$/.test(operation.operationId) ? path.replace(/\{(idp|org)Id\}/, "{id}") : path,
  ]);
  expect(shown.sort()).toEqual(routes.sort());
  const find = (id: string) => operations.find(({ operation }) => operation.operationId === id)?.operation;
  expect(find("ManagementService_RemoveUser")?.security).toEqual([{ token: ["user.delete"] }]);
  expect(find("AdminService_AddOIDCIDP")?.deprecated).toBe(true);
});

test("rules of the contract are keywords of JSON Schema", () => {
  const { schemas } = document.components;
  expect(schemas["ImportHumanUserRequest.Profile"]).toMatchObject({
    properties: {
      firstName: { type: "string", minLength: 1, maxLength: 200 },
      gender: { $ref: "#/components/schemas/Gender" },
    },
    required: ["firstName", "lastName"],
    additionalProperties: false,
  });
  expect(schemas.ImportHumanUserRequest).toMatchObject({
    properties: { idps: { type: "array", maxItems: 50 }, password: { type: "string", writeOnly: true } },
    required: ["userName", "profile", "email"],
  });
  expect(schemas.ListQuery).toMatchObject({ properties: { limit: { maximum: 1_000 } } });
  expect(schemas.SearchQuery).toMatchObject({ maxProperties: 1 });
  // The id is in the path instead of the body.
  expect(schemas.UpdateHumanPhoneRequestBody).toMatchObject({ required: ["phone"] });
  expect(schemas.UpdateHumanPhoneRequestBody).not.toHaveProperty("properties.userId");
  expect(schemas.UpdateHumanPhoneResponse).not.toHaveProperty("additionalProperties");
});

test("all examples match their schemas", () => {
  const problems: unknown[] = [];
  const check = (where: string, schema: JsonObject, example: unknown) => {
    const validate = compile(schema);
    if (!validate(example)) problems.push([where, validate.errors]);
  };
  for (const { path, operation } of operations) {
    for (const { name, schema, example } of operation.parameters ?? []) {
      if (schema && example !== undefined) check(`${path} ${name}`, schema, example);
    }
    const body = operation.requestBody?.content[JSON_TYPE];
    if (body) check(`${path} request`, body.schema, body.example);
    const response = operation.responses[200]?.content[JSON_TYPE];
    if (response) check(`${path} response`, response.schema, response.example);
  }
  for (const [reason, { value }] of Object.entries(document.components.examples)) {
    expect(REASONS).toHaveProperty(reason);
    check(reason, { $ref: "#/components/schemas/Error" }, value);
  }
  expect(problems).toEqual([]);
});

describe("a running service", () => {
  let service: TestService;
  let names = 0;
  beforeAll(async () => {
    service = await startService("postgres", { SMS_PROVIDER: "file" });
  });
  afterAll(() => service.close());

  type TestResponse = { readonly [field: string]: unknown; readonly details?: { readonly reason?: string }[] };
  type Example = (typeof operations)[number];

  /** Sends an example, and checks the response against the schema of its status. */
  async function send({ path, method, operation }: Example, ids: Record<string, string>, changes: JsonObject = {}) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "");
    const query = new URLSearchParams(
      (operation.parameters ?? [])
        .filter((each) => each.in === "query" && each.example !== undefined)
        .map(({ name, example }): [string, string] => [String(name), ids[String(name)] ?? String(example)]),
    );
    const example = operation.requestBody?.content[JSON_TYPE]?.example;
    const response = await fetch(`${service.origin}${filled}${query.size > 0 ? `?${query}` : ""}`, {
      // `fetch` does not convert all methods.
      method: method.toUpperCase(),
      headers: {
        authorization: `Bearer ${service.adminToken}`,
        ...(example && { "content-type": JSON_TYPE }),
        ...(ids.callOrg && { "x-service-orgid": ids.callOrg }),
      },
      ...(example && { body: JSON.stringify({ ...example, ...changes }) }),
    });
    const json = (await response.json()) as TestResponse;
    const documented = operation.responses[response.status]?.content[JSON_TYPE]?.schema;
    expect([operation.operationId, documented, json]).toEqual([operation.operationId, expect.anything(), json]);
    const validate = compile(documented ?? {});
    validate(json);
    expect([operation.operationId, validate.errors]).toEqual([operation.operationId, null]);
    return { status: response.status, json };
  }

  /**
   * The operation that creates the object in a path variable: a POST to the same collection, with an id in its
   * response.
   */
  function creatorOf(path: string, variable: string): { creator: Example; field: string } | undefined {
    const collection = path.slice(0, path.indexOf(`{${variable}}`));
    const isOfMachine = /\/(pats|machine)\b/.test(path);
    for (const creator of operations) {
      if (creator.method !== "post" || creator.path.includes("{") || !creator.path.startsWith(collection)) continue;
      if (collection.endsWith("/users/") && creator.path.endsWith("/machine") !== isOfMachine) continue;
      const { example } = creator.operation.responses[200]?.content[JSON_TYPE] ?? {};
      const field = Object.keys(example ?? {}).find((name) => /Id$/.test(name));
      if (field) return { creator, field };
    }
    return undefined;
  }

  /** The id of a new object, or undefined if no example creates one. */
  async function createFor(path: string, variable: string, changes: JsonObject): Promise<string | undefined> {
    if (/\/orgs\/\{(id|orgId)\}/.test(path)) return service.orgId;
    if (path.includes("/webhooks/{id}") && variable === "id")
      return (await createTestWebhook(service, service.orgId)).id;
    const found = creatorOf(path, variable);
    if (found === undefined) return undefined;
    const { creator, field } = found;
    const isUser = creator.path.includes("/users/");
    const { status, json } = await send(creator, {}, isUser ? { ...newName(creator.path), ...changes } : {});
    expect(status).toBe(200);
    return String(json[field]);
  }

  /** The values of an example that another user cannot have. */
  function newName(path: string): JsonObject {
    const userName = `user-${++names}`;
    return path.endsWith("/_import") ? { userName, subject: userName } : { userName };
  }

  /** An image of one pixel. */
  const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  /** A user who has not completed the initialization. */
  const INITIAL = { password: null, email: { email: "ada@example.com" } };
  const WITH_OTP = { otpCode: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" };

  /** What the user of a call must be like. */
  function changesFor(path: string): JsonObject {
    if (path.endsWith("_resend_initialization")) return INITIAL;
    return path.endsWith("/auth_factors/otp") ? WITH_OTP : {};
  }

  /** Replaces what the example of a call cannot contain. */
  function replacementsFor(path: string): JsonObject {
    if (path.endsWith("/_upload")) return { data: PNG };
    // An example that names a URL: metadata are long.
    const metadata = { metadataUrl: null, metadataXml: Buffer.from(SAML_METADATA).toString("base64") };
    return path.includes("/idps/saml") ? metadata : {};
  }

  /** Calls whose effect other calls undo. */
  const BEFORE: Record<string, string> = { _reactivate: "_deactivate", _unlock: "_lock", _bulk: "_bulk" };

  /** An organization's own policy is added before it is changed or removed, and removed before it is added. */
  const PREPARED_BY: Record<string, string> = { put: "post", delete: "post", post: "delete" };

  test.each(operations.map((each) => [each.operation.operationId, each] as const))(
    "accepts the example of %s, and its response matches the schema",
    async (_, example) => {
      const { path, operation } = example;
      const ids: Record<string, string> = {};
      const body = JSON.stringify(operation.requestBody?.content[JSON_TYPE]?.example ?? {});
      // The id in the example's body does not identify an object.
      let areKnown = !/"\w+Id":"[0-9a-f-]{36}"/.test(body);
      for (const [, variable = ""] of path.matchAll(/\{(\w+)\}/g)) {
        const id = await createFor(path, variable, changesFor(path));
        areKnown &&= id !== undefined;
        ids[variable] = id ?? String(operation.parameters?.find(({ name }) => name === variable)?.example);
      }
      const last = path.split("/").at(-1) ?? "";
      // The default organization cannot be deactivated.
      if (/\/orgs\/me\/_(de|re)activate$/.test(path)) ids.callOrg = await service.createOrg(`Org ${++names}`);
      const before = operations.find(
        (each) => each.path === path.replace(last, BEFORE[last] ?? "") && each.method === "post" && each !== example,
      );
      // Nor removed; the name of another one confirms the removal.
      if (operation.parameters?.some(({ name }) => name === "confirmName")) {
        ids.confirmName = `Org ${++names}`;
        ids[path.endsWith("/me") ? "callOrg" : "orgId"] = await service.createOrg(ids.confirmName);
      }
      if (BEFORE[last] && before) expect(await send(before, ids)).toMatchObject({ status: 200 });
      const prepared = operations.find((each) => each.path === path && each.method === PREPARED_BY[example.method]);
      if (path.includes("/policies/") && prepared) await send(prepared, ids);
      // The instance has no label policy of its own until it is changed.
      const [label] = /^.*\/policies\/label(?=\/)/.exec(path) ?? [];
      const changed = operations.find((each) => each.path === label && each.method === "put");
      const added = operations.find((each) => each.path === label && each.method === "post");
      for (const each of [added, changed]) if (each) await send(each, ids);
      // A message can be resent only after some time.
      service.clockOffsetMs += 3_600_000;
      const { status, json } = await send(example, ids, replacementsFor(path));
      const isExpected = status === 200 || (!areKnown && status === 404);
      expect({ json, isExpected }).toEqual({ json, isExpected: true });
    },
  );

  test("an error matches its schema, and names what the document lists", async () => {
    const [example] = operations.filter(
      ({ operation }) => operation.operationId === "ManagementService_ImportHumanUser",
    );
    if (example === undefined) throw new Error("no operation");
    const { status, json } = await send(example, {}, { userName: "", profile: { firstName: "" } });
    expect([status, json.details?.[0]?.reason]).toEqual([400, "INVALID_ARGUMENT"]);
    const names = Object.keys(example.operation.responses[409]?.content[JSON_TYPE]?.examples ?? {});
    expect(names).toEqual([
      ...["USER_NAME_TAKEN", "EMAIL_TAKEN", "PHONE_TAKEN", "IDP_LINK_TAKEN"],
      ...["EXTERNAL_ID_TAKEN", "SUBJECT_TAKEN", "PASSKEY_TAKEN", "ABORTED"],
    ]);
  });

  test("serves the document to all origins, compressed where the client accepts it", async () => {
    const response = await fetch(`${service.origin}/openapi.json`, { headers: { "accept-encoding": "gzip" } });
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "content-type": JSON_TYPE,
      "content-encoding": "gzip",
      "access-control-allow-origin": "*",
      "cache-control": "public, no-cache",
      vary: "accept-encoding",
    });
    expect(await response.json()).toEqual(document);
    const plain = await fetch(`${service.origin}/openapi.json`, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.json()).toEqual(document);
    expect(plain.headers.get("etag")).not.toBe(headers.etag);
  });

  test("does not send the document again to a client that has it", async () => {
    const first = await fetch(`${service.origin}/openapi.json`);
    await first.arrayBuffer();
    const etag = first.headers.get("etag") ?? "";
    for (const [given, status] of [
      [etag, 304],
      [`"other", W/${etag}`, 304],
      ['"other"', 200],
    ] as const) {
      const answer = await fetch(`${service.origin}/openapi.json`, {
        headers: { "if-none-match": given },
        cache: "no-store",
      });
      expect([given, answer.status, (await answer.text()).length > 0]).toEqual([given, status, status === 200]);
    }
  });

  test("rejects other methods, and unknown paths below /docs", async () => {
    for (const [path, method, status] of [
      ["/openapi.json", "POST", 405],
      ["/docs", "DELETE", 405],
      ["/docs/../package.json", "GET", 404],
      ["/docs/", "GET", 404],
      ["/docs/swagger-ui-bundle.js.map", "GET", 404],
    ] as const) {
      const answer = await fetch(`${service.origin}${path}`, { method });
      expect([path, answer.status]).toEqual([path, status]);
    }
  });

  test("the policy of /docs allows neither inline code nor other hosts", async () => {
    const { headers } = await fetch(`${service.origin}/docs`);
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("GET / returns a page to browsers and JSON to other clients", async () => {
    const page = await fetch(service.origin, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const json = await fetch(service.origin);
    expect([json.headers.get("content-type"), json.headers.get("vary")]).toEqual([JSON_TYPE, "accept"]);
    expect(await json.json()).toEqual({
      name: "Signet",
      description: expect.stringContaining("Identity management"),
      console: "/console",
      guide: "/docs/guide",
      docs: "/docs",
      openapi: "/openapi.json",
      health: "/healthz",
      readiness: "/readyz",
    });
    expect((await fetch(service.origin, { method: "POST" })).status).toBe(404);
  });
});
