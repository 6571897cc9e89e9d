import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { chromium } from "playwright-core";
import { ImportHumanUserRequestSchema, ImportHumanUserResponseSchema } from "../../../gen/signet/v1/management_pb.js";
import { askHttp1, frame, IMPORT_RPC } from "../../support/clients/raw-calls.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

let service: TestService;
beforeAll(async () => {
  service = await startService("embedded", { CORS_ORIGINS: "*", MAX_BODY_BYTES: "65536" });
});
afterAll(() => service.close());

function importOf(userName: string): Buffer {
  const request = create(ImportHumanUserRequestSchema, {
    userName,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: "ada@example.com", isEmailVerified: true },
  });
  return frame(toBinary(ImportHumanUserRequestSchema, request));
}

async function call(body: Buffer | Buffer[], headers: Record<string, string> = {}, path = IMPORT_RPC) {
  const answer = await askHttp1(service.port, {
    path,
    headers: {
      "content-type": "application/grpc-web-text",
      accept: "application/grpc-web-text",
      authorization: `Bearer ${service.adminToken}`,
      origin: "https://app.example",
      ...headers,
    },
    body,
  });
  // Padding may be anywhere between two groups of four characters.
  const groups = answer.body.toString("latin1").match(/.{4}/gs) ?? [];
  const decoded = Buffer.concat(groups.map((group) => Buffer.from(group, "base64")));
  const length = decoded[0] === 0x80 ? 0 : 5 + decoded.readUInt32BE(1);
  return { ...answer, message: decoded.subarray(5, length), trailers: decoded.subarray(length + 5).toString() };
}

function encode(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("base64"));
}

describe("a call in text mode gets a response in text mode:", () => {
  test.each([
    ["whole", (bytes: Buffer) => encode(bytes)],
    ["in pieces of seven bytes, each encoded and padded for itself", (bytes: Buffer) => inPieces(bytes, 7).map(encode)],
    ["as one text, sent three characters at a time", (bytes: Buffer) => inPieces(encode(bytes), 3)],
  ])("%s", async (title, toBody) => {
    const { http, headers, message, trailers } = await call(toBody(importOf(title)));
    expect(http).toBe(200);
    expect(headers["content-type"]).toBe("application/grpc-web-text+proto");
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(fromBinary(ImportHumanUserResponseSchema, message).userId).toMatch(/^[0-9a-f-]{36}$/);
    expect(trailers).toContain("grpc-status: 0");
  });
});

test.each([
  ["a broken rule", encode(importOf("")), {}, "3"],
  ["a text that is no base64", Buffer.from("!"), {}, "3"],
  ["no token", encode(importOf("nobody")), { authorization: "" }, "16"],
  ["a body that is too large", encode(frame(Buffer.alloc(65_537))), {}, "8"],
  ["a text that is too large", Buffer.alloc(200_000, "A"), {}, "8"],
])("an error is encoded too: %s", async (_title, body, headers, code) => {
  const { http, headers: answered, trailers } = await call(body, headers);
  expect({ http, type: answered["content-type"] }).toEqual({ http: 200, type: "application/grpc-web-text+proto" });
  expect(trailers).toContain(`grpc-status: ${code}\r\n`);
  expect(trailers).toContain("grpc-status-details-bin: ");
});

test("a message that is just small enough is read", async () => {
  const { trailers } = await call(encode(frame(Buffer.alloc(65_536))));
  expect(trailers).toContain("grpc-status: 3");
});

test("a call that requires no token gets a response in text mode too", async () => {
  const health = await call(encode(frame(Buffer.alloc(0))), {}, "/grpc.health.v1.Health/Check");
  expect(health.headers["content-type"]).toBe("application/grpc-web-text+proto");
  expect([...health.message]).toEqual([8, 1]);
  expect(health.trailers).toContain("grpc-status: 0");
});

/** A page of another origin with the client of the npm package grpc-web, which is a CommonJS module. */
const PAGE = `<!doctype html><title>grpc-web</title><script>var exports = {};</script>
<script src="/grpc-web.js"></script>`;

(existsSync(CHROMIUM) ? test : test.skip)("the client of the npm package grpc-web calls in text mode", async () => {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/grpc-web.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? readFileSync("node_modules/grpc-web/index.js") : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const results = await page.evaluate(
      async ({ origin, token, requests }) => {
        // biome-ignore lint/suspicious/noExplicitAny: the client is a global of the page
        const { GrpcWebClientBase, MethodDescriptor, MethodType } = (globalThis as any).exports;
        const client = new GrpcWebClientBase({ format: "text" });
        const same = (bytes: Uint8Array) => bytes;
        const path = "/signet.v1.ManagementService/ImportHumanUser";
        const method = new MethodDescriptor(path, MethodType.UNARY, Object, Object, same, same);
        const results: unknown[] = [];
        for (const request of requests) {
          results.push(
            await client
              .unaryCall(origin + path, new Uint8Array(request), { authorization: `Bearer ${token}` }, method)
              .then(
                (answer: Uint8Array) => ({ bytes: [...answer] }),
                ({ code, message }: { code: number; message: string }) => ({ code, message }),
              ),
          );
        }
        return results as { bytes?: number[]; code?: number; message?: string }[];
      },
      {
        origin: service.origin,
        token: service.adminToken,
        requests: ["grpc-web", "grpc-web"].map((name) => [...importOf(name).subarray(5)]),
      },
    );
    const [imported, taken] = results;
    expect(fromBinary(ImportHumanUserResponseSchema, Uint8Array.from(imported?.bytes ?? [])).userId).toMatch(
      /^[0-9a-f-]{36}$/,
    );
    expect(taken).toMatchObject({ code: 6 });
  } finally {
    await browser.close();
    server.close();
  }
});

function inPieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
