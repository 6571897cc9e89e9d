import { connect } from "node:net";
import { data, encodeFields, FRAME, HELLO, headers } from "../support/clients/http2-frames.ts";
import { human, IMPORT_PATH, IMPORT_RPC, importBody } from "../support/clients/raw-calls.ts";
import { startService, type TestService } from "../support/servers/service.ts";

let service: TestService;
let other: string;
beforeAll(async () => {
  service = await startService("postgres");
  other = await service.createOrg("Other");
});
afterAll(() => service?.close());

const WIRES = [
  { wire: "grpc", path: IMPORT_RPC, type: "application/grpc" },
  { wire: "grpc-web", path: IMPORT_RPC, type: "application/grpc-web+proto" },
  { wire: "connect-json", path: IMPORT_RPC, type: "application/json" },
  { wire: "rest", path: IMPORT_PATH, type: "application/json" },
] as const;

const SPOILERS = [
  ["a line feed behind it", (value: string) => `${value}\n`],
  ["a control character behind it", (value: string) => `${value}\x01`],
  ["a delete character behind it", (value: string) => `${value}\x7f`],
  ["NUL before it", (value: string) => `\0${value}`],
] as const;

type HeaderName = "authorization" | "x-service-orgid";

const CASES = WIRES.flatMap((wire) => SPOILERS.map(([what, spoil]) => ({ ...wire, what, spoil })));

/** Imports a user into the other organization, with one spoiled header. Resolves to the organization of the user. */
async function importOver(
  { wire, path, type }: (typeof WIRES)[number],
  name: HeaderName,
  spoil: (value: string) => string,
): Promise<string | undefined> {
  const userName = `ada-${Math.random()}`;
  const fields: Record<HeaderName, string> = {
    authorization: `Bearer ${service.adminToken}`,
    "x-service-orgid": other,
  };
  fields[name] = spoil(fields[name]);
  const block = encodeFields([
    [":method", "POST"],
    [":path", path],
    [":scheme", "http"],
    [":authority", "localhost"],
    ["content-type", type],
    ...Object.entries(fields),
  ]);
  const body = data(1, importBody(wire, human(userName)), { endStream: true });
  await untilHeaders(Buffer.concat([HELLO, headers(1, block, { endStream: false }), body]));
  const found = service.db.selectFrom("users").select("org_id").where("user_name", "=", userName);
  return (await found.executeTakeFirst())?.org_id;
}

/** Node and nghttp2 drop a header that contains a byte that HTTP forbids, as if it had not been sent. */
describe("over HTTP/2", () => {
  test.each(CASES)("a call over $wire whose authorization has $what is not run", async ({ spoil, ...wire }) => {
    expect(await importOver(wire, "authorization", spoil)).toBeUndefined();
  });

  test.each(CASES)(
    "a call over $wire whose x-service-orgid has $what runs in the caller's own organization",
    async ({ spoil, ...wire }) => {
      expect(await importOver(wire, "x-service-orgid", spoil)).toBe(service.orgId);
    },
  );

  test.each(WIRES)("a call over $wire whose x-service-orgid has white space around it is run in it", async (wire) => {
    expect(await importOver(wire, "x-service-orgid", (value) => ` \t${value} `)).toBe(other);
  });
});

test.each(SPOILERS)("over HTTP/1.1, a request with a header that has %s is rejected", async (_what, spoil) => {
  const head = `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-service-orgid: ${spoil(other)}\r\n\r\n`;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(service.port, "127.0.0.1", () => socket.write(head, "latin1"));
  socket.once("data", (chunk) => resolve(chunk.toString("latin1"))).on("error", reject);
  expect(await promise).toMatch(/^HTTP\/1\.1 400 /);
  socket.destroy();
});

/** Sends bytes, and resolves once the response starts. */
function untilHeaders(bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ port: service.port, host: "127.0.0.1" }, () => socket.write(bytes));
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let at = 0; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3)) {
      if (received[at + 3] !== FRAME.headers) continue;
      resolve();
      socket.destroy();
      return;
    }
  });
  socket.on("close", () => reject(new Error("the connection ended without a response")));
  return promise;
}
