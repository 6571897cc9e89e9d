import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { createOutboundFetch, OutboundError } from "../../src/outbound/outbound-fetch.ts";

const LIMITS = { timeoutMs: 60_000, maxBodyBytes: 64 * 1_024 };
const publicOnly = createOutboundFetch({ ...LIMITS, allowsPrivate: false });
const anywhere = createOutboundFetch({ ...LIMITS, allowsPrivate: true });

/** 10 MB of spaces in 10 KB. */
const BOMB = gzipSync(" ".repeat(10_000_000));

let server: Server;
let port: number;
let requests: { method: string; url: string; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = request.url ?? "";
    requests.push({ method: request.method ?? "", url, body: Buffer.concat(chunks).toString() });
    if (url === "/silent") return;
    if (url === "/redirect") return void response.writeHead(302, { location: "/elsewhere" }).end();
    if (url === "/gzip") return void response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
    if (url === "/none") return void response.writeHead(204).end();
    if (url.startsWith("/bytes/")) return void response.end("x".repeat(Number(url.slice(7))));
    if (url === "/slow") {
      response.write("x");
      return;
    }
    response.writeHead(200, { "content-type": "application/json", "x-other": "y" }).end('{"a":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
});

test.each([
  ["a loopback address", "127.0.0.1"],
  ["a decimal address", "2130706433"],
  ["a hexadecimal address", "0x7f000001"],
  ["an octal address", "0177.0.0.1"],
  ["a short address", "127.1"],
  ["zero", "0"],
  ["IPv6", "[::1]"],
  ["a mapped address", "[::ffff:127.0.0.1]"],
  ["a mapped address in hexadecimal", "[::ffff:7f00:1]"],
  ["localhost", "localhost"],
  ["localhost with a dot", "localhost."],
  ["a name below localhost", "idp.localhost"],
  ["the metadata of a cloud", "169.254.169.254"],
])("does not connect to %s", async (_, host) => {
  await expect(publicOnly(`http://${host}:${port}/`)).rejects.toThrow("has an address that is not public");
  expect(requests).toEqual([]);
});

test("does not connect if one of the addresses of a name is not public", async () => {
  const fetch = createOutboundFetch({
    ...LIMITS,
    allowsPrivate: false,
    lookup: async () => [
      { address: "192.0.3.1", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ],
  });
  await expect(fetch(`http://idp.example.com:${port}/`)).rejects.toThrow(
    new OutboundError("idp.example.com has an address that is not public"),
  );
  expect(requests).toEqual([]);
});

test("connects to the address that was checked, and looks up a name once per request", async () => {
  // The name resolves to a public address first, and then to this machine's address.
  const responses = ["192.0.3.1", "127.0.0.1"];
  let lookups = 0;
  const fetch = createOutboundFetch({
    timeoutMs: 300,
    maxBodyBytes: 1_000,
    allowsPrivate: false,
    lookup: async () => [{ address: responses[lookups++] ?? "", family: 4 }],
  });
  // Nothing is at the public address. The message depends on the network.
  await expect(fetch(`http://idp.example.com:${port}/`)).rejects.toThrow(OutboundError);
  expect(lookups).toBe(1);
  await expect(fetch(`http://idp.example.com:${port}/`)).rejects.toThrow("has an address that is not public");
  expect(lookups).toBe(2);
  expect(requests).toEqual([]);
});

test("says in words that a name has no address", async () => {
  const fetch = createOutboundFetch({
    ...LIMITS,
    allowsPrivate: false,
    lookup: async () => {
      throw Object.assign(new Error("queryA ENOTFOUND idp.example.com"), { code: "ENOTFOUND" });
    },
  });
  await expect(fetch("https://idp.example.com/")).rejects.toThrow(
    new OutboundError("idp.example.com: no server has this name"),
  );
});

test("connects to the looked-up address if private addresses are allowed", async () => {
  const fetch = createOutboundFetch({
    ...LIMITS,
    allowsPrivate: true,
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  const response = await fetch(`http://idp.example.com:${port}/a?b`, { headers: { accept: "application/json" } });
  expect([response.status, await response.json()]).toEqual([200, { a: 1 }]);
  expect([...response.headers]).toEqual([["content-type", "application/json"]]);
  expect(requests).toEqual([{ method: "GET", url: "/a?b", body: "" }]);
});

test("sends a form", async () => {
  await anywhere(`http://127.0.0.1:${port}/`, { method: "POST", body: new URLSearchParams({ a: "b c" }) });
  expect(requests).toEqual([{ method: "POST", url: "/", body: "a=b+c" }]);
});

test("does not follow a redirect", async () => {
  expect((await anywhere(`http://127.0.0.1:${port}/redirect`)).status).toBe(302);
  expect(requests.map(({ url }) => url)).toEqual(["/redirect"]);
});

test("reads a body up to the limit, and not one byte more", async () => {
  const text = await (await anywhere(`http://127.0.0.1:${port}/bytes/65536`)).text();
  expect(text).toHaveLength(65_536);
  const larger = anywhere(`http://127.0.0.1:${port}/bytes/65537`);
  await expect(larger).rejects.toThrow("the response has more than 65536 bytes");
  expect((await anywhere(`http://127.0.0.1:${port}/none`)).status).toBe(204);
});

test("does not decompress a body", async () => {
  const response = await anywhere(`http://127.0.0.1:${port}/gzip`);
  expect(Buffer.from(await response.arrayBuffer()).equals(BOMB)).toBe(true);
  expect([...response.headers]).toEqual([]);
});

test.each(["/silent", "/slow"])("gives up if a response is not complete in time: %s", async (path) => {
  const fetch = createOutboundFetch({ ...LIMITS, timeoutMs: 100, allowsPrivate: true });
  await expect(fetch(`http://127.0.0.1:${port}${path}`)).rejects.toThrow("127.0.0.1 did not respond completely within");
});

test("ends when the caller aborts", async () => {
  const controller = new AbortController();
  const response = anywhere(`http://127.0.0.1:${port}/silent`, { signal: controller.signal });
  controller.abort();
  await expect(response).rejects.toThrow(OutboundError);
});

test("has no body if none is requested", async () => {
  const fetch = createOutboundFetch({ allowsPrivate: true, timeoutMs: 60_000 });
  const response = await fetch(`http://127.0.0.1:${port}/bytes/100000`);
  expect([response.status, response.body]).toEqual([200, null]);
});

test.each([
  ["a status that no response has", "HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n"],
  ["a change of protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
  ["no HTTP", "220 mail.example.com ESMTP\r\n"],
  ["nothing", ""],
])("rejects %s", async (_, text) => {
  const sockets: Socket[] = [];
  const odd = createNetServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {}).end(text);
  });
  await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
  const { port: oddPort } = odd.address() as AddressInfo;
  await expect(anywhere(`http://127.0.0.1:${oddPort}/`)).rejects.toThrow(OutboundError);
  for (const socket of sockets) socket.destroy();
  odd.close();
});

test.each(["ftp://example.com/", "file:///etc/passwd", "data:,x"])("does not load %s", async (url) => {
  await expect(anywhere(url)).rejects.toThrow("only http and https URLs are allowed");
});

test("a host without a listener is a failure with its code", async () => {
  await expect(anywhere("http://127.0.0.1:1/")).rejects.toThrow("127.0.0.1: ECONNREFUSED");
});
