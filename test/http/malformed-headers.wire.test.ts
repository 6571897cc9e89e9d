import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { FrameFlag, FrameType } from "../../src/http/guard/frames.ts";
import { frame, HELLO, headers, literal } from "../support/http2-frames.ts";
import { human, IMPORT_PATH, IMPORT_RPC, importBody } from "../support/raw-calls.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService("postgres");
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

const CASES = WIRES.flatMap((wire) =>
  SPOILERS.flatMap(([what, spoil]) =>
    (["x-service-orgid", "authorization"] as const).map((name) => ({ ...wire, name, what, spoil })),
  ),
);

/** RFC 7541, appendix A: `:status: 400`. */
const STATUS_400 = 0x8c;

test.each(CASES)(
  "a call over $wire whose $name has $what is rejected and stores nothing",
  async ({ wire, path, type, name, spoil }) => {
    const other = await service.createOrg(`Other ${Math.random()}`);
    const userName = `ada-${Math.random()}`;
    const fields = { "x-service-orgid": other, authorization: `Bearer ${service.adminToken}` };
    const block = Buffer.concat([
      literal(":method", "POST"),
      literal(":path", path),
      literal(":scheme", "http"),
      literal(":authority", "localhost"),
      literal("content-type", type),
      ...Object.entries(fields).map(([field, value]) => literal(field, field === name ? spoil(value) : value)),
    ]);
    const body = importBody(wire, human(userName));
    const first = await readFirstHeaders(
      Buffer.concat([
        HELLO,
        headers(1, block, FrameFlag.endHeaders),
        frame(FrameType.data, FrameFlag.endStream, 1, body),
      ]),
    );
    expect(first[0]).toBe(STATUS_400);
    const stored = await service.db.selectFrom("users").select("id").where("user_name", "=", userName).execute();
    expect(stored).toEqual([]);
  },
);

/** The header block of the first response. */
function readFirstHeaders(bytes: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = connect({ port: service.port, host: "127.0.0.1" }, () => socket.write(bytes));
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let at = 0; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3)) {
      if (received[at + 3] !== FrameType.headers) continue;
      resolve(received.subarray(at + 9));
      socket.destroy();
      return;
    }
  });
  socket.on("close", () => reject(new Error("the connection ended without an answer")));
  return promise;
}
