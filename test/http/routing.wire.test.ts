import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import {
  askHttp1,
  askHttp2,
  type Connections,
  countRows,
  type HttpResponse,
  human,
  IMPORT_PATH,
  IMPORT_RPC,
  importBody,
  openConnections,
  RAW_PROTOCOLS,
  type RawProtocol,
  type RawRequest,
  rawRequest,
  readResponse,
  responseOf,
} from "../support/clients/raw-calls.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let connections: Connections;
let userId = "";
let names = 0;
const newName = () => `user-${++names}`;

beforeAll(async () => {
  service = await startService("postgres");
  connections = openConnections(service.port);
  const response = await ask("rest", importBody("rest", human(newName())));
  userId = JSON.parse(response.body.toString()).userId;
});
afterAll(async () => {
  connections.close();
  await service.close();
});

const token = () => ({ authorization: `Bearer ${service.adminToken}` });

function ask(protocol: RawProtocol, body: Buffer, headers: Record<string, string> = {}) {
  return connections.ask(protocol, rawRequest(protocol, body, { ...token(), ...headers }));
}

async function writesNothing<T>(act: () => Promise<T>): Promise<T> {
  const before = await countRows(service.db);
  const response = await act();
  expect(await countRows(service.db)).toBe(before);
  return response;
}

/** The same request over both versions of HTTP. */
async function overBoth(request: RawRequest): Promise<HttpResponse[]> {
  return [await askHttp1(service.port, request), await askHttp2(connections.http2, request)];
}

const JSON_TYPE = "application/json";
const bodyOf = (method: string) => (method === "POST" || method === "PUT" ? Buffer.from("{}") : Buffer.alloc(0));

// RFC 9110, section 9.3.2: a response to HEAD has the headers of one to GET, and no body.
test.each(["GET", "HEAD"])("/healthz responds to %s with the length of its text", async (method) => {
  const [http1, http2] = await overBoth({ method, path: "/healthz", headers: {} });
  // HTTP/2 has frames that say where a body ends.
  expect(http1).toMatchObject({ headers: { "content-length": "3" } });
  for (const response of [http1, http2]) {
    expect(response?.http).toBe(200);
    expect(response?.body.toString()).toBe(method === "GET" ? "ok\n" : "");
  }
});

// RFC 9112, section 3.2: "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message that
// lacks a Host header field".
test.each([
  ["1.1", 400],
  ["1.0", 200],
])("HTTP/%s without Host gets status %i", async (version, status) => {
  const socket = connect({ port: service.port, host: "127.0.0.1" });
  socket.write(`GET /healthz HTTP/${version}\r\nconnection: close\r\n\r\n`);
  const response = await text(socket);
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  if (status === 400) {
    const body = response.slice(response.indexOf("\r\n\r\n") + 4);
    expect(JSON.parse(body)).toMatchObject({
      code: 3,
      details: [{ reason: "INVALID_ARGUMENT" }, { fieldViolations: [{ field: "host" }] }],
    });
  }
});

// RFC 9110, section 9.3.2.
test.each([
  ["/management/v1/orgs/me", 200],
  ["/management/v1/users/unknown", 404],
  ["/management/v1/nothing", 404],
  ["/", 200],
  ["/docs", 200],
  ["/openapi.json", 200],
  ["/ui/account", 303],
])("a response to HEAD %s has the headers of one to GET, with status %i", async (path, status) => {
  const headers = token();
  const gets = await overBoth({ method: "GET", path, headers });
  const heads = await overBoth({ method: "HEAD", path, headers });
  for (const [n, { http, body, headers }] of heads.entries()) {
    expect({ http, length: body.length }).toEqual({ http: status, length: 0 });
    const varying = { date: expect.anything(), "x-request-id": expect.anything() };
    const ofGet = Object.entries(gets[n]?.headers ?? {}).filter(([name]) => name !== "set-cookie");
    expect(headers).toMatchObject({ ...Object.fromEntries(ofGet), ...varying });
  }
});

// RFC 9112, section 3.2.2: "a server MUST accept the absolute-form in requests".
test.each(["rest", "grpc-web", "connect-json"] as const)(
  "an absolute-form path is accepted over %s",
  async (protocol) => {
    const request = rawRequest(protocol, importBody(protocol, human(newName())), token());
    const response = await askHttp1(service.port, { ...request, path: `http://signet.example${request.path}` });
    expect(await readResponse(protocol, response)).toMatchObject({ http: 200, code: 0 });
  },
);

// RFC 9110, section 10.1.1: the client may wait for the 100 before it sends the body.
test("REST over HTTP/2 responds to `expect: 100-continue`", async () => {
  const body = importBody("rest", human(newName()));
  const headers = { ...token(), "content-type": "application/json", expect: "100-continue" };
  const stream = connections.http2.request({ ":method": "POST", ":path": IMPORT_PATH, ...headers });
  await new Promise<void>((resolve) => stream.once("continue", resolve));
  stream.end(body);
  const [response] = await once(stream, "response");
  expect(response[":status"]).toBe(200);
  stream.resume();
  await once(stream, "close");
});

describe("a REST path", () => {
  const phone = () => `/management/v1/users/${userId}/phone`;

  test.each([
    ["POST", "/"],
    ["GET", "/index.html"],
    ["POST", `${IMPORT_PATH}/`],
    ["POST", IMPORT_PATH.replace("/management", "//management")],
    ["POST", "/management/v1/users/human/_IMPORT"],
    ["POST", "/management/v1/users/human/_import%"],
    ["POST", "/management/v1/users/human/%zz"],
    ["PUT", "/management/v1/users//phone"],
    ["PUT", "/management/v1/users/%ff/phone"],
    ["PUT", "/management/v1/users/a/b/phone"],
    ["POST", "/admin/v1/idps/oidc/../oidc"],
  ])("that does not exist is not found: %s %s", async (method, path) => {
    const headers = { ...token(), "content-type": JSON_TYPE };
    for (const response of await overBoth({ method, path, headers, body: bodyOf(method) })) {
      expect(await readResponse("rest", response)).toMatchObject({ http: 404, code: 5, reason: "PATH_NOT_FOUND" });
    }
  });

  test.each(["GET", "HEAD", "OPTIONS", "TRACE", "DELETE", "PATCH", "PUT"])(
    "accepts no method except its own: %s",
    async (method) => {
      const headers = { ...token(), "content-type": JSON_TYPE };
      for (const response of await overBoth({ method, path: IMPORT_PATH, headers })) {
        expect(response).toMatchObject({ http: 405, headers: { allow: "POST" } });
        if (method === "HEAD") expect(response.body).toHaveLength(0);
        else expect(await readResponse("rest", response)).toMatchObject({ code: 12, reason: "METHOD_NOT_ALLOWED" });
      }
    },
  );

  test.each([
    undefined,
    "",
    "text/plain",
    "application/json-patch+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/proto",
  ])("accepts no content type except JSON: %s", async (type) => {
    const headers = { ...token(), ...(type !== undefined && { "content-type": type }) };
    const request = { path: IMPORT_PATH, headers, body: importBody("rest", human(newName())) };
    for (const response of await writesNothing(() => overBoth(request))) {
      const read = await readResponse("rest", response);
      expect(read).toMatchObject({ http: 415, code: 3, reason: "CONTENT_TYPE_UNSUPPORTED" });
    }
  });

  test("accepts no content encoding", async () => {
    const response = await ask("rest", importBody("rest", human(newName())), { "content-encoding": "gzip" });
    expect(response).toMatchObject({ http: 415, reason: "CONTENT_TYPE_UNSUPPORTED" });
  });

  test.each(["application/json;charset=UTF-8", "Application/JSON", "application/json ; charset=utf-8"])(
    "accepts JSON as %s",
    async (type) => {
      const response = await ask("rest", importBody("rest", human(newName())), { "content-type": type });
      expect(response).toMatchObject({ http: 200 });
    },
  );

  test("may be percent-encoded", async () => {
    const path = IMPORT_PATH.replace("_import", "%5Fim%70ort");
    const request = { ...rawRequest("rest", importBody("rest", human(newName())), token()), path };
    expect(await connections.ask("rest", request)).toMatchObject({ http: 200 });
  });

  test.each([
    ["userName=b", "userName"],
    ["profile.firstName=b", "profile.firstName"],
    ["x=1", "x"],
    ["", undefined],
  ])("accepts no parameters together with a body: ?%s", async (query, field) => {
    const request = rawRequest("rest", importBody("rest", human(newName())), token());
    const response = await connections.ask("rest", { ...request, path: `${IMPORT_PATH}?${query}` });
    if (field === undefined) expect(response).toMatchObject({ http: 200 });
    else expect(response).toMatchObject({ http: 400, code: 3, reason: "INVALID_ARGUMENT", fields: [field] });
  });

  const putPhone = (path: string, body: object) =>
    connections.ask("rest", {
      ...rawRequest("rest", Buffer.from(JSON.stringify({ phone: "+41791234567", ...body })), token()),
      method: "PUT",
      path,
    });

  test("and body may contain the same user id, under either name", async () => {
    expect(await putPhone(phone(), { userId })).toMatchObject({ http: 200 });
    expect(await putPhone(phone(), { user_id: userId })).toMatchObject({ http: 200 });
  });

  test("and body must not contain different user ids", async () => {
    const response = await writesNothing(() => putPhone(phone(), { userId: service.adminId }));
    expect(response).toMatchObject({ http: 400, code: 3, reason: "INVALID_ARGUMENT", fields: ["userId"] });
  });

  test("and query must not both contain the user id", async () => {
    const response = await writesNothing(() => putPhone(`${phone()}?userId=${userId}`, {}));
    expect(response).toMatchObject({ http: 400, code: 3, fields: ["userId"] });
  });

  test.each(["a%2Fb", "%2e%2e", "..%2f..", "%F0%9F%98%80", "'%20or%201=1"])(
    "with the user id %s fails because no such user exists",
    async (id) => {
      const response = await putPhone(`/management/v1/users/${id}/phone`, {});
      expect(response).toMatchObject({ http: 404, code: 5, reason: "USER_NOT_FOUND" });
    },
  );

  test("with NUL in the user id is rejected", async () => {
    const response = await putPhone("/management/v1/users/a%00b/phone", {});
    expect([response.http, response.code]).toEqual([400, 3]);
  });
});

describe("a query string", () => {
  const path = (query: string) => `/management/v1/users/_is_unique?userName=${query}`;

  test.each(["%ff", "a%c3&email=%a9", "%", "%4", "%zz", "%ed%a0%80", "a%00%"])(
    "that is not percent-encoded UTF-8 is rejected: %s",
    async (query) => {
      for (const response of await overBoth({ method: "GET", path: path(query), headers: token() })) {
        const read = await readResponse("rest", response);
        expect(read).toMatchObject({ http: 400, code: 3, reason: "INVALID_ARGUMENT" });
        expect(read.message).toMatch(/percent-encoded UTF-8/);
      }
    },
  );

  test.each(["caf%C3%A9", "a+b", "%25", "a~!'()*"])("may have every character: %s", async (query) => {
    for (const response of await overBoth({ method: "GET", path: path(query), headers: token() })) {
      expect(JSON.parse(response.body.toString())).toEqual({ isUnique: true });
    }
  });
});

// protobuf.dev/programming-guides/json: null leaves a field unset, also in a oneof.
describe.each(["rest", "connect-json"] as const)("null in a oneof over %s", (protocol) => {
  const search = async (queries: object[]) => {
    const body = Buffer.from(JSON.stringify({ queries }));
    const request = { ...rawRequest(protocol, body, token()), path: LIST_PATHS[protocol] };
    return await readResponse(protocol, await connections.ask(protocol, request));
  };
  const LIST_PATHS = {
    rest: "/management/v1/users/_search",
    "connect-json": "/signet.v1.ManagementService/ListUsers",
  } as const;
  const none = { emailQuery: { emailAddress: "nobody@example.com" } };

  test("leaves it unset, at any depth", async () => {
    for (const query of [
      { userNameQuery: null, ...none },
      { ...none, user_name_query: null, stateQuery: null },
      { orQuery: { queries: [{ userNameQuery: null, ...none }] } },
      { notQuery: { query: { inUserIdsQuery: null, notQuery: { query: none } } } },
    ]) {
      const response = await search([query]);
      expect([query, response]).toMatchObject([query, { http: 200 }]);
      expect(JSON.parse(response.body.toString()).result).toBeUndefined();
    }
  });

  test("alone leaves no condition", async () => {
    const response = await search([{ notQuery: { query: { userNameQuery: null } } }]);
    expect(response).toMatchObject({ http: 400, fields: ["queries[0].notQuery.query"] });
  });
});

describe("an RPC path", () => {
  const unknown = [
    "/signet.v1.ManagementService/ImportHuman",
    "/signet.v1.ManagementService/importHumanUser",
    "/signet.v1.Nothing/ImportHumanUser",
    `${IMPORT_RPC}/`,
    "/",
  ];

  // grpc/doc/statuscodes.md: "Method not found at server | UNIMPLEMENTED".
  test.each(unknown)("of no method is UNIMPLEMENTED in gRPC and gRPC-Web: %s", async (path) => {
    for (const protocol of ["grpc", "grpc-web"] as const) {
      const response = await connections.ask(protocol, { ...rawRequest(protocol, Buffer.alloc(0), token()), path });
      expect(response).toMatchObject({ http: 200, code: 12, reason: "METHOD_UNKNOWN" });
      expect(response.headers["content-type"]).toMatch(/^application\/grpc/);
    }
  });

  // connectrpc.com/docs/protocol, "HTTP to Error Code": 404 is unimplemented.
  test.each(unknown.slice(0, 3))("of no method is 404 in Connect, in its form: %s", async (path) => {
    for (const protocol of ["connect-json", "connect-proto"] as const) {
      const response = await connections.ask(protocol, { ...rawRequest(protocol, Buffer.alloc(0)), path });
      expect(response).toMatchObject({ http: 404, code: 12, reason: "METHOD_UNKNOWN" });
      expect(response.message).toContain(path);
    }
  });

  test.each(unknown.slice(3))("of no package is 404 over HTTP: %s", async (path) => {
    const response = await connections.ask("rest", { ...rawRequest("rest", Buffer.alloc(0)), path });
    expect(response).toMatchObject({ http: 404, code: 5, reason: "PATH_NOT_FOUND" });
  });

  test.each([
    ["another method", { method: "PUT", headers: {} }, 405, 12, "METHOD_NOT_ALLOWED"],
    ["another content type", { headers: { "content-type": "text/plain" } }, 415, 3, "CONTENT_TYPE_UNSUPPORTED"],
    ["a stream", { headers: { "content-type": "application/connect+json" } }, 415, 3, "CONTENT_TYPE_UNSUPPORTED"],
  ] as const)("responds to %s in the form of Connect", async (_title, { headers, ...changes }, http, code, reason) => {
    const type = { "content-type": JSON_TYPE, "connect-protocol-version": "1" };
    const request = { path: IMPORT_RPC, ...changes, headers: { ...type, ...headers } };
    for (const response of await overBoth(request)) {
      expect(await readResponse("connect-json", response)).toMatchObject({ http, code, reason });
    }
  });

  test.each(["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"])("accepts only POST: %s", async (method) => {
    for (const type of ["application/grpc", "application/grpc-web", JSON_TYPE, "application/proto"]) {
      const request = { method, path: IMPORT_RPC, headers: { ...token(), "content-type": type } };
      for (const response of await overBoth(request)) {
        expect([type, response]).toMatchObject([type, { http: 405, headers: { allow: "POST" } }]);
      }
    }
  });

  // PROTOCOL-HTTP2.md: "If Content-Type does not begin with "application/grpc", gRPC servers SHOULD respond with HTTP
  // status of 415 (Unsupported Media Type)."
  test.each([
    undefined,
    "",
    "text/plain",
    "application/grpc+thrift",
    "application/grpcx",
    "application/grpc-web-texts",
  ])("responds with 415 to the content type %s", async (type) => {
    const headers = { ...token(), ...(type !== undefined && { "content-type": type }) };
    const request = { path: IMPORT_RPC, headers, body: importBody("grpc", human(newName())) };
    for (const response of await writesNothing(() => overBoth(request))) expect(response.http).toBe(415);
  });

  test.each([
    ["grpc", "application/grpc+proto"],
    ["grpc-web", "application/grpc-web"],
    ["connect-json", "application/json;charset=utf-8"],
  ] as const)("takes %s as %s", async (protocol, type) => {
    const response = await ask(protocol, importBody(protocol, human(newName())), { "content-type": type });
    expect(response).toMatchObject({ http: 200, code: 0 });
  });

  test("accepts gRPC over HTTP/1.1, with trailers", async () => {
    const request = rawRequest("grpc", importBody("grpc", human(newName())), token());
    const good = await readResponse("grpc", await askHttp1(service.port, request));
    expect(good).toMatchObject({ http: 200, code: 0, trailers: { "grpc-status": "0" } });
    const again = await readResponse("grpc", await askHttp1(service.port, request));
    expect(again).toMatchObject({ http: 200, code: 6, reason: "USER_NAME_TAKEN" });
  });

  test("accepts gRPC-Web and Connect over HTTP/2", async () => {
    for (const protocol of ["grpc-web", "connect-proto", "connect-json", "rest"] as const) {
      const request = rawRequest(protocol, importBody(protocol, human(newName())), token());
      const response = await readResponse(protocol, await askHttp2(connections.http2, request));
      expect([protocol, response]).toMatchObject([protocol, { http: 200, code: 0 }]);
    }
  });
});

describe.each(RAW_PROTOCOLS)("headers over %s", (protocol) => {
  // PROTOCOL-HTTP2.md: "Implementations MUST accept padded and un-padded values".
  test("may contain any binary metadata", async () => {
    const headers = { "trace-bin": "AAEC/w", "other-bin": "AAEC/w==", "broken-bin": "%%%", "x-note": "t\xe9" };
    expect(await ask(protocol, importBody(protocol, human(newName())), headers)).toMatchObject({ code: 0 });
  });

  test("of every response have a unique id", async () => {
    const responses = [
      await ask(protocol, importBody(protocol, human(newName()))),
      await ask(protocol, Buffer.from("x")),
      await connections.ask(protocol, rawRequest(protocol, Buffer.alloc(0))),
    ];
    const ids = responses.map(({ headers }) => headers["x-request-id"]);
    for (const id of ids) expect(id).toMatch(/^[\w-]{11}-[0-9a-z]+$/);
    expect(new Set(ids).size).toBe(3);
  });

  // RFC 9110, section 11.6.1: a 401 response has a WWW-Authenticate field.
  test("of a response to an unauthenticated call contain how to authenticate", async () => {
    const { headers, trailers, body, http } = await connections.ask(protocol, rawRequest(protocol, Buffer.alloc(0)));
    expect(http).toBe(protocol.startsWith("grpc") ? 200 : 401);
    const inBody = /www-authenticate: (\w+)/i.exec(body.toString())?.[1];
    expect(headers["www-authenticate"] ?? trailers["www-authenticate"] ?? inBody).toBe("Bearer");
  });

  test("may have an invalid host", async () => {
    const request = rawRequest(protocol, importBody(protocol, human(newName())), token());
    const host = protocol === "grpc" ? { ":authority": "a:b:c" } : { host: "a:b:c" };
    const response = await connections.ask(protocol, { ...request, headers: { ...request.headers, ...host } });
    expect(response).toMatchObject({ code: 0 });
  });
});

describe.each(RAW_PROTOCOLS)("without a token over %s", (protocol) => {
  const missing = { code: 16, reason: "TOKEN_MISSING", fields: [] };
  const invalid = { code: 16, reason: "TOKEN_INVALID", fields: [] };

  test.each([
    ["broken", Buffer.from("{\0\xff")],
    ["of three MiB", Buffer.alloc(3 << 20)],
    ["empty", Buffer.alloc(0)],
  ])("a caller whose body is %s gets only the token error", async (_what, body) => {
    expect(await connections.ask(protocol, rawRequest(protocol, body))).toMatchObject(missing);
    const authorization = `Bearer signet_pat_${"A".repeat(43)}`;
    expect(await connections.ask(protocol, rawRequest(protocol, body, { authorization }))).toMatchObject(invalid);
    expect((await ask(protocol, importBody(protocol, human(newName())))).code).toBe(0);
  });

  test.each([
    ["timeout", { "grpc-timeout": "soon", "connect-timeout-ms": "soon" }],
    ["encoding", { "grpc-encoding": "x" }],
    ["organization", { "x-service-orgid": "a,b" }],
  ] as const)("a caller whose %s is malformed hears about the token alone", async (_what, headers) => {
    expect(await connections.ask(protocol, rawRequest(protocol, Buffer.alloc(0), headers))).toMatchObject(missing);
  });

  test("a caller gets a response even if its body never arrives", async () => {
    const request = rawRequest(protocol, Buffer.alloc(0));
    const endless = { ...request, headers: { ...request.headers, "content-length": "100" }, endless: true };
    const response = await (protocol === "grpc"
      ? askHttp2(connections.http2, endless)
      : askHttp1(service.port, endless));
    expect(await readResponse(protocol, response)).toMatchObject(missing);
  });
});

// curl and HAProxy lose a response that arrives while they are sending.
test("over HTTP/1.1, a body that is too large is read before the response", async () => {
  const [total, first] = [3 << 20, 2 << 20];
  const socket = connect(service.port, "localhost");
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  const { authorization } = token();
  const head = [
    `POST ${IMPORT_PATH} HTTP/1.1`,
    "host: localhost",
    `authorization: ${authorization}`,
    "content-type: application/json",
    `content-length: ${total}`,
    "connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await new Promise((resolve) => socket.write(Buffer.alloc(first, " "), resolve));
  // By then, the service has read more than the limit.
  for (let call = 0; call < 3; call++) await ask("rest", importBody("rest", human(newName())));
  expect(received).toBe("");
  socket.write(Buffer.alloc(total - first, " "));
  await once(socket, "close");
  expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*"reason":"BODY_TOO_LARGE"/);
});

// PROTOCOL-HTTP2.md: "If a server responds with Trailers before the client's END_STREAM, then the server should send
// RST_STREAM with NO_ERROR error code immediately following that HEADERS frame".
test.each([
  ["nothing of its body was read", {}, Buffer.alloc(0)],
  ["a part of its body was read", undefined, Buffer.alloc(18 << 20)],
])("a stream is closed with NO_ERROR after the response if %s", async (_what, headers, part) => {
  const stream = connections.http2.request({
    ":method": "POST",
    ":path": IMPORT_RPC,
    "content-type": "application/grpc",
    ...(headers ?? token()),
  });
  const closed = new Promise((resolve) => stream.on("close", () => resolve(stream.rstCode)));
  if (part.length > 0) stream.write(part);
  const response = await readResponse("grpc", await responseOf(stream));
  expect(response.code).toBe(headers ? 16 : 8);
  expect(await closed).toBe(0);
});
