import { gzipSync } from "node:zlib";
import {
  type Connections,
  frame,
  human,
  importBody,
  openConnections,
  rawRequest,
} from "../../support/clients/raw-calls.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

/** Has 204 invalid fields. */
const REQUEST = human("ada", {
  profile: { firstName: "", lastName: "", preferredLanguage: "ä".repeat(300), nickName: "é".repeat(300) },
  idps: Array.from({ length: 50 }, () => ({ configId: "", externalUserId: "" })),
  recoveryCodes: Array.from({ length: 50 }, () => "ü"),
});

let service: TestService;
let connections: Connections;
beforeAll(async () => {
  service = await startService("postgres", { CORS_ORIGINS: "*" });
  connections = openConnections(service.port);
});
afterAll(async () => {
  connections?.close();
  await service?.close();
});

/** As SETTINGS_MAX_HEADER_LIST_SIZE counts (RFC 9113, section 6.5.2). */
function sizeOf(fields: object): number {
  return Object.entries(fields).reduce((size, [name, value]) => size + name.length + String(value).length + 32, 0);
}

test.each([
  ["plain", importBody("grpc", REQUEST), {}],
  ["compressed", frame(gzipSync(importBody("grpc", REQUEST).subarray(5)), 1), { "grpc-encoding": "gzip" }],
])("a client with a limit of 8 KiB for headers gets a long error over gRPC, shortened: %s", async (_, body, more) => {
  const headers = { authorization: `Bearer ${service.adminToken}`, origin: "https://app.example.com" };
  const [rest, web, grpc] = await Promise.all([
    connections.ask("rest", rawRequest("rest", importBody("rest", REQUEST), headers)),
    connections.ask("grpc-web", rawRequest("grpc-web", importBody("grpc-web", REQUEST), headers)),
    connections.ask("grpc", rawRequest("grpc", body, { ...headers, ...more })),
  ]);
  expect(sizeOf({ ...grpc.headers, ...grpc.trailers })).toBeLessThan(8_192);
  expect(grpc).toMatchObject({ code: 3, reason: "INVALID_ARGUMENT", message: rest.message });
  // One violation without a field says how many are missing.
  const kept = grpc.fields.filter((field) => field !== "");
  expect([rest.fields.length, web.fields, grpc.fields.length]).toEqual([204, rest.fields, kept.length + 1]);
  expect(kept.length).toBeGreaterThan(50);
});
