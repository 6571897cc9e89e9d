import { connect } from "node:http2";
import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../src/database/tables.ts";
import { type Caller, createCaller, FORMS, type Outcome, readRestAnswer, type TestForm } from "../support/callers.ts";
import { DATABASE_KINDS } from "../support/database.ts";
import { startService, type TestService } from "../support/service.ts";

/** What a caller is told for each reason: number of google.rpc.Code, and status of HTTP. */
const ANSWERS = {
  INVALID_ARGUMENT: { code: 3, http: 400 },
  ORG_NOT_FOUND: { code: 5, http: 404 },
  USER_NOT_FOUND: { code: 5, http: 404 },
  IDP_NOT_FOUND: { code: 5, http: 404 },
  PATH_NOT_FOUND: { code: 5, http: 404 },
  USER_NAME_TAKEN: { code: 6, http: 409 },
  IDP_LINK_TAKEN: { code: 6, http: 409 },
  PERMISSION_DENIED: { code: 7, http: 403 },
  TOKEN_MISSING: { code: 16, http: 401 },
  TOKEN_INVALID: { code: 16, http: 401 },
} as const;

export type Refusal = keyof typeof ANSWERS;

/** Calls, and expects an error with exactly these violated fields, and that nothing at all was written. */
export async function expectRefusal(
  db: Kysely<Tables>,
  form: TestForm,
  call: () => Promise<Outcome>,
  reason: Refusal,
  fields: readonly string[] = [],
): Promise<void> {
  const before = await versionsOf(db);
  const outcome = await call();
  const { code, http } = ANSWERS[reason];
  expect(outcome).toEqual({
    ok: false,
    code,
    reason,
    fields: [...fields].sort(),
    message: expect.stringMatching(/./),
    http: form === "rest" ? http : undefined,
  });
  expect(await versionsOf(db)).toEqual(before);
}

const TABLES = Object.keys({
  master_keys: true,
  instance: true,
  orgs: true,
  users: true,
  idps: true,
  user_idp_links: true,
  members: true,
  tokens: true,
  codes: true,
  messages: true,
  passkeys: true,
  events: true,
  rate_limits: true,
} satisfies Record<keyof Tables, true>);

/** Of each table the number of rows, and the sum of the transactions that wrote them, which every update changes. */
async function versionsOf(db: Kysely<Tables>): Promise<Record<string, string>> {
  const version = (table: string) =>
    sql<string>`(select concat(count(*), ' ', sum(xmin::text::bigint)) from ${sql.table(table)})`.as(table);
  return db.selectNoFrom(TABLES.map(version)).executeTakeFirstOrThrow();
}

/** A request with some of its fields changed; `undefined` leaves one out. */
export function withChanges(request: JsonObject, changes: object): JsonObject {
  return JSON.parse(JSON.stringify({ ...request, ...changes }));
}

/** One character that is two UTF-16 units and four bytes. */
export const ASTRAL = "\u{1d538}";
const EMOJI = "\u{1f600}";

export type IdpRpc = "AddOIDCIDP" | "AddOrgOIDCIDP";

/** How long an issuer may be. */
const ISSUER_LIMITS: Record<IdpRpc, number> = { AddOIDCIDP: 200, AddOrgOIDCIDP: 2_048 };

const REST_PATHS: Record<IdpRpc, string> = {
  AddOIDCIDP: "/admin/v1/idps/oidc",
  AddOrgOIDCIDP: "/management/v1/idps/oidc",
};

const RPC_PATHS: Record<IdpRpc, string> = {
  AddOIDCIDP: "/signet.v1.AdminService/AddOIDCIDP",
  AddOrgOIDCIDP: "/signet.v1.ManagementService/AddOrgOIDCIDP",
};

export const SECRET = "client-secret-of-the-tests";

/** The fields that are required, and no others. */
export const IDP = {
  name: "Example",
  clientId: "signet",
  clientSecret: SECRET,
  issuer: "https://accounts.example.com",
} as const;

/** What a configuration holds that was given the required fields alone. */
export const STORED = {
  name: "Example",
  stylingType: 0,
  clientId: "signet",
  issuer: "https://accounts.example.com",
  scopes: [] as string[],
  displayNameMapping: 0,
  usernameMapping: 0,
  autoRegister: false,
};

interface Accepted {
  readonly title: string;
  readonly changes: object;
  /** How the stored configuration differs from `STORED`. */
  readonly stored?: Partial<typeof STORED>;
  readonly secret?: string;
}

interface Refused {
  readonly title: string;
  readonly changes: object;
  readonly fields: readonly string[];
}

// test/fields/issuer.test.ts covers all issuers.
const accepted = (rpc: IdpRpc): Accepted[] => [
  { title: "the required fields alone, with a default for every other", changes: {} },
  ...(["name", "clientId"] as const).flatMap((field) =>
    [
      ["one character", "x"],
      ["white space alone", " "],
      ["200 letters of four bytes", ASTRAL.repeat(200)],
      ["200 emoji", EMOJI.repeat(200)],
    ].map(([what = "", value]) => ({
      title: `${field} of ${what}`,
      changes: { [field]: value },
      stored: { [field]: value },
    })),
  ),
  ...[
    ["one character", "x"],
    ["200 letters of four bytes", "\u{1d54a}".repeat(200)],
    ["200 emoji", "\u{1f511}".repeat(200)],
    ["quotes and backslashes", `"secret"\\'of the tests'`],
  ].map(([what = "", clientSecret = ""]) => ({
    title: `clientSecret of ${what}`,
    changes: { clientSecret },
    secret: clientSecret,
  })),
  ...[
    issuerOfLength(ISSUER_LIMITS[rpc]),
    "https://accounts.example.com:8443/realms/one",
    "HTTPS://Accounts.Example.com",
    "http://localhost:8080/dex",
    "http://127.0.0.1:5556",
    "http://[::1]:9000",
  ].map((issuer) => ({
    title: `issuer ${shorten(issuer)}`,
    changes: { issuer },
    stored: { issuer },
  })),
  ...(
    [
      ["no scopes", [], []],
      ["scopes in the order given", ["profile", "openid", "email"], ["profile", "openid", "email"]],
      ["repeated scopes once, where they came first", ["b", "a", "b", "c", "a", "b"], ["b", "a", "c"]],
      ["scopes that differ in case", ["openid", "OpenID"], ["openid", "OpenID"]],
      ["scopes of every character that RFC 6749 allows at the edges", ["!", "#[", "]~"], ["!", "#[", "]~"]],
      ["fifty scopes", manyScopes(50), manyScopes(50)],
      ["a scope that is a URL", ["https://api.example.com/read"], ["https://api.example.com/read"]],
      ["a scope of 200 characters", ["x".repeat(200)], ["x".repeat(200)]],
    ] as const
  ).map(([title, scopes, stored]) => ({ title, changes: { scopes }, stored: { scopes: [...stored] } })),
  {
    title: "enums by name",
    changes: {
      stylingType: "STYLING_TYPE_GOOGLE",
      displayNameMapping: "OIDC_MAPPING_FIELD_PREFERRED_USERNAME",
      usernameMapping: "OIDC_MAPPING_FIELD_EMAIL",
    },
    stored: { stylingType: 1, displayNameMapping: 1, usernameMapping: 2 },
  },
  {
    title: "enums by number",
    changes: { stylingType: 1, displayNameMapping: 2, usernameMapping: 1 },
    stored: { stylingType: 1, displayNameMapping: 2, usernameMapping: 1 },
  },
  {
    title: "enums named as unspecified",
    changes: {
      stylingType: "STYLING_TYPE_UNSPECIFIED",
      displayNameMapping: "OIDC_MAPPING_FIELD_UNSPECIFIED",
      usernameMapping: "OIDC_MAPPING_FIELD_UNSPECIFIED",
    },
  },
  { title: "autoRegister", changes: { autoRegister: true }, stored: { autoRegister: true } },
];

const refused = (rpc: IdpRpc): Refused[] => [
  ...["name", "clientId", "clientSecret"].flatMap((field) =>
    (
      [
        ["left out", undefined],
        ["empty", ""],
        ["of 201 characters", "x".repeat(201)],
        ["of 201 emoji", EMOJI.repeat(201)],
        ["with a NUL", "one\0two"],
        ["of a NUL alone", "\0"],
      ] as const
    ).map(([what, value]) => ({ title: `${field} ${what}`, changes: { [field]: value }, fields: [field] })),
  ),
  ...[
    ["left out", undefined],
    ["empty", ""],
    ["one character too long", issuerOfLength(ISSUER_LIMITS[rpc] + 1)],
    ["without a scheme", "accounts.example.com"],
    ["with one slash", "https:/accounts.example.com"],
    ["that is a script", "javascript:alert(1)"],
    ["of http on another host", "http://accounts.example.com"],
    ["of http on a host that begins like a loopback address", "http://127.0.0.1.example.com"],
    ["with a query", "https://accounts.example.com/?realm=one"],
    ["with a fragment", "https://accounts.example.com/#one"],
    ["with a user", "https://ada@accounts.example.com"],
    ["with a space before it", " https://accounts.example.com"],
    ["with a line break after it", "https://accounts.example.com\n"],
    ["with a letter beyond ASCII", "https://accounts.example.com/\u00e9"],
    ["with a NUL", "https://accounts.example.com/\0"],
  ].map(([what, issuer]) => ({ title: `issuer ${what}`, changes: { issuer }, fields: ["issuer"] })),
  ...[
    ["that is empty", ""],
    ["of 201 characters", "x".repeat(201)],
    ["of two words", "open id"],
    ["with a quote", 'open"id'],
    ["with a backslash", "open\\id"],
    ["with a tab", "open\tid"],
    ["with DEL", "open\x7fid"],
    ["with a NUL", "open\0id"],
    ["with a letter beyond ASCII", "open\u00efd"],
  ].map(([what, scope]) => ({
    title: `a scope ${what}`,
    changes: { scopes: ["openid", scope] },
    fields: ["scopes[1]"],
  })),
  {
    title: "more scopes than fifty, before any of them is checked",
    changes: { scopes: Array.from({ length: 51 }, (_, index) => `a b ${index}`) },
    fields: ["scopes"],
  },
  {
    title: "several bad scopes, each by its place in the request",
    changes: { scopes: ["", "openid", "openid", "a b"] },
    fields: ["scopes[0]", "scopes[3]"],
  },
  ...(
    [
      ["stylingType", 2],
      ["displayNameMapping", 3],
      ["usernameMapping", 3],
    ] as const
  ).flatMap(([field, first]) =>
    [first, -1].map((value) => ({
      title: `${field} with the unknown number ${value}`,
      changes: { [field]: value },
      fields: [field],
    })),
  ),
  {
    title: "every field wrong at once, all of them named",
    changes: {
      name: "",
      stylingType: 9,
      clientId: "\0",
      clientSecret: `${SECRET}${"x".repeat(200)}`,
      issuer: "accounts.example.com",
      scopes: ["openid", "a b"],
      displayNameMapping: 9,
      usernameMapping: 9,
    },
    fields: [
      "name",
      "stylingType",
      "clientId",
      "clientSecret",
      "issuer",
      "scopes[1]",
      "displayNameMapping",
      "usernameMapping",
    ],
  },
];

/** JSON that the clients of the tests cannot send, because it is no message. */
const REFUSED_JSON: readonly { title: string; changes: object; field: string }[] = [
  ...["stylingType", "displayNameMapping", "usernameMapping"].map((field) => ({
    title: `${field} with an unknown name`,
    changes: { [field]: "SOMETHING_ELSE" },
    field,
  })),
  ...["name", "clientId"].map((field) => ({
    title: `${field} with a lone surrogate`,
    changes: { [field]: "one\ud800" },
    field,
  })),
  { title: "a number for name", changes: { name: 1 }, field: "name" },
  { title: "a field that is not known", changes: { clientSecrets: "x" }, field: "clientSecrets" },
  { title: "one scope instead of a list", changes: { scopes: "openid" }, field: "scopes" },
  { title: "a scope that is null", changes: { scopes: ["openid", null] }, field: "scopes[1]" },
];

/** The tests that both operations share: every case over every form, on both databases. */
export function describeOidcIdp(rpc: IdpRpc): void {
  describe.each(DATABASE_KINDS)("on %s", (kind) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService(kind);
      service.secret(SECRET);
    });
    afterAll(() => service.close());

    const owner = () => (rpc === "AddOIDCIDP" ? service.instanceId : service.orgId);

    describe.each(FORMS)("over %s", (form) => {
      let caller: Caller;
      beforeAll(() => {
        caller = createCaller(form, service, service.adminToken);
      });
      afterAll(() => caller.close());

      test.each(accepted(rpc))("stores $title", async ({ changes, stored, secret = SECRET }) => {
        if (secret.length > 1) service.secret(secret);
        const outcome = await caller.call(rpc, withChanges(IDP, changes));
        await expectStored(service, rpc, outcome, { ownerId: owner(), stored: { ...STORED, ...stored }, secret });
      });

      test.each(refused(rpc))("refuses $title", async ({ changes, fields }) => {
        const call = () => caller.call(rpc, withChanges(IDP, changes));
        await expectRefusal(service.db, form, call, "INVALID_ARGUMENT", fields);
      });

      test("adds a second configuration of the same name", async () => {
        const twice = [await caller.call(rpc, IDP), await caller.call(rpc, IDP)];
        const ids = twice.map((outcome) => outcome.ok && outcome.message.idpId);
        expect(new Set(ids).size).toBe(2);
        for (const outcome of twice) {
          await expectStored(service, rpc, outcome, { ownerId: owner(), stored: STORED, secret: SECRET });
        }
      });

      test("says that it is deprecated, on success and on every error", async () => {
        const authorization = `Bearer ${service.adminToken}`;
        const outcome = await caller.call(rpc, IDP);
        expect(outcome).toMatchObject({ ok: true, headers: { deprecation: "@1795219200" } });
        // An empty request, and one of nobody.
        expect(await errorHeaders(form, service.origin, rpc, { authorization })).toBe("@1795219200");
        expect(await errorHeaders(form, service.origin, rpc, {})).toBe("@1795219200");
      });
    });

    describe.each([
      ["REST", REST_PATHS[rpc]],
      ["Connect in JSON", RPC_PATHS[rpc]],
    ])("in the JSON of %s", (name, path) => {
      test.each(REFUSED_JSON)("refuses $title", async ({ changes, field }) => {
        const post = async () => {
          const response = await fetch(service.origin + path, {
            method: "POST",
            headers: { "content-type": "application/json", authorization: `Bearer ${service.adminToken}` },
            body: JSON.stringify({ ...IDP, ...changes }),
          });
          if (name === "REST") return readRestAnswer(response);
          expect(response.status).toBe(400);
          return fromConnectError((await response.json()) as ConnectErrorBody);
        };
        await expectRefusal(service.db, name === "REST" ? "rest" : "connect", post, "INVALID_ARGUMENT", [field]);
      });
    });
  });
}

/** Expects the answer of a success, the row and the one event that it tells of, and the secret encrypted. */
export async function expectStored(
  service: TestService,
  rpc: IdpRpc,
  outcome: Outcome,
  { ownerId, stored, secret, editorId }: { ownerId: string; stored: object; secret: string; editorId?: string },
): Promise<void> {
  expect(outcome).toEqual({
    ok: true,
    headers: expect.anything(),
    message: {
      idpId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      details: {
        sequence: "1",
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: ownerId,
      },
    },
  });
  const { idpId, details } = (outcome as unknown as { message: { idpId: string; details: Record<string, string> } })
    .message;
  const at = new Date(details.creationDate ?? "");
  expect(details.changeDate).toBe(details.creationDate);

  const row = await service.db.selectFrom("idps").selectAll().where("id", "=", idpId).executeTakeFirstOrThrow();
  const { client_secret: ciphertext, client_secret_key: keyId, ...plain } = row;
  const { name, clientId, issuer, scopes, stylingType, displayNameMapping, usernameMapping, autoRegister } =
    stored as typeof STORED;
  expect(plain).toEqual({
    owner_id: ownerId,
    id: idpId,
    sequence: 1n,
    created_at: at,
    changed_at: at,
    name,
    client_id: clientId,
    issuer,
    scopes,
    styling_type: stylingType,
    display_name_mapping: displayNameMapping,
    username_mapping: usernameMapping,
    auto_register: autoRegister,
  });
  expect(ciphertext.includes(secret) && secret.length > 1).toBe(false);
  const place = { table: "idps", column: "client_secret", rowId: idpId };
  expect(service.keyring.open(place, { keyId, ciphertext })).toBe(secret);

  const events = await service.db.selectFrom("events").selectAll().where("aggregate_id", "=", idpId).execute();
  expect(events).toEqual([
    {
      owner_id: ownerId,
      aggregate_id: idpId,
      sequence: 1n,
      position: expect.anything(),
      type: rpc === "AddOIDCIDP" ? "instance.idp.oidc.added" : "org.idp.oidc.added",
      editor_id: editorId ?? service.adminId,
      created_at: at,
      payload: stored,
    },
  ]);
}

/** The `Deprecation` header of a call with an empty request, which is always an error. */
async function errorHeaders(form: TestForm, origin: string, rpc: IdpRpc, headers: Record<string, string>) {
  const post = async (path: string, contentType: string, body: string | Buffer) => {
    const response = await fetch(origin + path, {
      method: "POST",
      headers: { "content-type": contentType, ...headers },
      body,
    });
    await response.arrayBuffer();
    return response.headers.get("deprecation");
  };
  switch (form) {
    case "rest":
      return post(REST_PATHS[rpc], "application/json", "{}");
    case "connect":
      return post(RPC_PATHS[rpc], "application/json", "{}");
    case "grpc-web":
      return post(RPC_PATHS[rpc], "application/grpc-web+proto", Buffer.alloc(5));
    case "grpc":
      return postGrpc(origin, RPC_PATHS[rpc], headers);
    default:
      return form satisfies never;
  }
}

async function postGrpc(origin: string, path: string, headers: Record<string, string>): Promise<string | undefined> {
  const session = connect(origin);
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    let deprecation: string | undefined;
    stream.on("response", (answer) => {
      deprecation = answer.deprecation?.toString();
    });
    stream.on("end", () => resolve(deprecation)).on("error", reject);
    stream.resume().end(Buffer.alloc(5));
    return await promise;
  } finally {
    session.close();
  }
}

interface ConnectErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: readonly {
    readonly type: string;
    readonly debug: { reason?: string; fieldViolations?: { field: string }[] };
  }[];
}

function fromConnectError({ code, message, details }: ConnectErrorBody): Outcome {
  const find = (type: string) => details.find((detail) => detail.type === `google.rpc.${type}`)?.debug;
  expect(code).toBe("invalid_argument");
  return {
    ok: false,
    code: 3,
    reason: find("ErrorInfo")?.reason,
    fields: (find("BadRequest")?.fieldViolations ?? []).map(({ field }) => field).sort(),
    message,
    http: undefined,
  };
}

function issuerOfLength(length: number): string {
  return "https://accounts.example.com/".padEnd(length, "x");
}

function shorten(text: string): string {
  return text.length > 60 ? `of ${text.length} characters` : text;
}

function manyScopes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `scope-${index}`);
}
