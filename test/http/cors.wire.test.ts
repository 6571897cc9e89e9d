import {
  askHttp1,
  type HttpResponse,
  human,
  IMPORT_PATH,
  IMPORT_RPC,
  importBody,
  RAW_PROTOCOLS,
  rawRequest,
} from "../support/clients/raw-calls.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const ALLOWED = "https://app.example.com";
const ALSO_ALLOWED = "http://localhost:3000";
const PHONE_PATH = "/management/v1/users/x/phone";

const services: Record<"listed" | "any" | "none", TestService | undefined> = {
  listed: undefined,
  any: undefined,
  none: undefined,
};
const get = (name: keyof typeof services): TestService => {
  const service = services[name];
  if (service === undefined) throw new Error("no service");
  return service;
};

beforeAll(async () => {
  services.listed = await startService("postgres", { CORS_ORIGINS: `${ALLOWED},${ALSO_ALLOWED}` });
  services.any = await startService("postgres", { CORS_ORIGINS: "*" });
  services.none = await startService("postgres");
});
afterAll(async () => {
  for (const service of Object.values(services)) await service?.close();
});

function preflight(
  service: TestService,
  path: string,
  origin: string,
  method = "POST",
  headers = "authorization,content-type,x-grpc-web,x-user-agent,x-service-orgid,grpc-timeout",
) {
  return askHttp1(service.port, {
    method: "OPTIONS",
    path,
    headers: { origin, "access-control-request-method": method, "access-control-request-headers": headers },
  });
}

const listOf = (value: unknown) =>
  String(value ?? "")
    .toLowerCase()
    .split(/ *, */);
const corsHeaders = ({ headers }: HttpResponse) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"));

describe.each([
  [IMPORT_RPC, "POST"],
  [IMPORT_PATH, "POST"],
  [PHONE_PATH, "PUT"],
])("a preflight for %s", (path, method) => {
  test.each([ALLOWED, ALSO_ALLOWED])("from %s, which is listed, is allowed", async (origin) => {
    const response = await preflight(get("listed"), path, origin, method);
    expect(response).toMatchObject({
      http: 204,
      body: Buffer.alloc(0),
      headers: { "access-control-allow-origin": origin },
    });
    expect(listOf(response.headers["access-control-allow-methods"])).toContain(method.toLowerCase());
    expect(listOf(response.headers["access-control-allow-headers"])).toEqual(
      expect.arrayContaining([
        "authorization",
        "content-type",
        "x-grpc-web",
        "x-user-agent",
        "grpc-timeout",
        "connect-protocol-version",
        "connect-timeout-ms",
        "x-service-orgid",
        "x-zitadel-orgid",
        "idempotency-key",
      ]),
    );
    expect(Number(response.headers["access-control-max-age"])).toBeGreaterThan(0);
    expect(response.headers["access-control-allow-credentials"]).toBeUndefined();
    // Fetch standard, "CORS protocol and HTTP caches": a response that depends on the origin must say so.
    expect(listOf(response.headers.vary)).toContain("origin");
  });

  test.each([
    "https://evil.example.com",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.example",
    "https://APP.example.com.",
    "null",
  ])("from %s, which is not listed, is not allowed", async (origin) => {
    const { headers } = await preflight(get("listed"), path, origin, method);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(listOf(headers.vary)).toContain("origin");
  });

  test("from any origin is allowed if all are, without credentials", async () => {
    const response = await preflight(get("any"), path, "https://evil.example.com", method);
    expect(response).toMatchObject({ http: 204, headers: { "access-control-allow-origin": "*" } });
    expect(response.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test("gets no CORS headers if no origin is configured", async () => {
    const response = await preflight(get("none"), path, ALLOWED, method);
    expect(response.http).toBe(405);
    expect(corsHeaders(response)).toEqual([]);
  });
});

describe.each(RAW_PROTOCOLS)("an answer over %s", (protocol) => {
  const ask = (
    service: TestService,
    headers: Record<string, string>,
    body = importBody(protocol, human(`u-${protocol}`)),
    path?: string,
  ) => {
    const request = rawRequest(protocol, body, headers);
    return askHttp1(service.port, { ...request, ...(path !== undefined && { path }) });
  };
  const cases = (
    service: TestService,
    origin: string,
  ): [what: string, http: number, response: Promise<HttpResponse>][] => {
    const known = { origin, authorization: `Bearer ${service.adminToken}` };
    const http = (status: number) => (protocol.startsWith("grpc") ? 200 : status);
    return [
      ["401", http(401), ask(service, { origin })],
      ["400", http(400), ask(service, known, Buffer.of(0xff))],
      ["404", http(404), ask(service, known, undefined, "/signet.v1.ManagementService/Nothing")],
      ["415", protocol === "rest" ? 415 : 415, ask(service, { ...known, "content-type": "text/plain" })],
      ["success", 200, ask(service, known)],
    ];
  };

  test("is readable by a listed origin, with the exposed headers, on success and on failure", async () => {
    for (const [what, http, asked] of cases(get("listed"), ALLOWED)) {
      const response = await asked;
      expect([what, response]).toMatchObject([what, { http, headers: { "access-control-allow-origin": ALLOWED } }]);
      expect(listOf(response.headers.vary)).toContain("origin");
      expect(listOf(response.headers["access-control-expose-headers"])).toEqual(
        expect.arrayContaining([
          "grpc-status",
          "grpc-message",
          "grpc-status-details-bin",
          "x-request-id",
          "www-authenticate",
          "deprecation",
          "link",
        ]),
      );
    }
  });

  test("has no CORS headers for an origin that is not listed", async () => {
    for (const [what, , asked] of cases(get("listed"), "https://evil.example.com")) {
      const { headers } = await asked;
      expect([what, headers["access-control-allow-origin"]]).toEqual([what, undefined]);
    }
  });

  test("is readable by every origin if all are allowed", async () => {
    for (const [what, , asked] of cases(get("any"), "https://evil.example.com")) {
      const { headers } = await asked;
      expect([what, headers["access-control-allow-origin"]]).toEqual([what, "*"]);
    }
  });

  test("has no CORS header if no origin is configured", async () => {
    for (const [what, , asked] of cases(get("none"), ALLOWED))
      expect([what, corsHeaders(await asked)]).toEqual([what, []]);
  });
});
