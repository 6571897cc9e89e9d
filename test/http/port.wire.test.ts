import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage as Request, ServerResponse } from "node:http";
import { Agent as Http1Agent, request as http1Request, type IncomingMessage } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { connect as connectTcp, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import type { Handler } from "../../src/http/exchange.ts";
import { createPort, type Port, type PortOptions } from "../../src/http/port.ts";

const opened: Port[] = [];
const agents: (Http1Agent | HttpsAgent)[] = [];
const sockets: (Socket | ClientHttp2Session)[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((port) => port.drain(0)));
});

async function open(options: Partial<PortOptions> = {}): Promise<{ port: Port; number: number }> {
  const port = createPort({ handler: echo, ...options });
  opened.push(port);
  return { port, number: (await port.listen(0, "127.0.0.1")).port };
}

/** Responds with the HTTP version and the request body. */
const echo = onNode((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => response.end(`${request.httpVersion} ${Buffer.concat(chunks)}`));
});

/** A handler that takes Node's request and response. */
function onNode(serve: (request: Request, response: ServerResponse) => void): Handler {
  return (exchange) => {
    const { request, response } = exchange.toNode();
    serve(request, response);
  };
}

/** A handler whose calls wait until released; `begun` resolves once there are `count` calls. */
function gate(count = 1) {
  let calls = 0;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const handler = onNode((_request, response) => {
    calls += 1;
    if (calls === count) begin();
    void released.then(() => response.end("finished"));
  });
  return { handler, begun, release };
}

interface TestResponse {
  status: number | undefined;
  text: string;
  connection: string | undefined;
}

function ask1(number: number, options: object = {}, body = "hello"): Promise<TestResponse> {
  const request = "ca" in options ? httpsRequest : http1Request;
  return new Promise((resolve, reject) => {
    const call = request(
      { host: "127.0.0.1", port: number, method: "POST", ...options },
      (response: IncomingMessage) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode, text, connection: response.headers.connection }),
        );
      },
    );
    call.on("error", reject).on("continue", () => call.end(body));
    if (!call.getHeader("expect")) call.end(body);
    else call.flushHeaders();
  });
}

function session(number: number, options: { ca?: Buffer } = {}): ClientHttp2Session {
  const client = connectHttp2(`${options.ca ? "https" : "http"}://127.0.0.1:${number}`, {
    ...options,
    servername: "localhost",
  });
  client.on("error", () => {});
  sockets.push(client);
  return client;
}

function ask2(client: ClientHttp2Session, body = "hello"): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = client.request({ ":method": "POST", ":path": "/" });
    let text = "";
    stream.on("data", (chunk) => {
      text += chunk;
    });
    stream.on("end", () => resolve(text)).on("error", reject);
    stream.end(body);
  });
}

/** A TCP connection that records received data; `closed` resolves to it. */
function raw(number: number): { socket: Socket; closed: Promise<string> } {
  const socket = connectTcp({ port: number, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  socket.on("end", () => socket.end()).on("error", () => {});
  return { socket, closed: new Promise((resolve) => socket.on("close", () => resolve(text))) };
}

async function writeByteByByte(socket: Socket, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
    await new Promise(setImmediate);
  }
}

/** GET http://a/ as header fields of HTTP/2 (RFC 7541, appendix A). */
const REQUEST_FIELDS = "828486410161";
/** The preface of HTTP/2, empty settings, and that request. */
const HTTP2_REQUEST = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from("000000040000000000", "hex"),
  Buffer.from(`000006010500000001${REQUEST_FIELDS}`, "hex"),
]);

describe("a port without TLS", () => {
  test("serves HTTP/1.1 and HTTP/2", async () => {
    const { number } = await open();
    expect((await ask1(number)).text).toBe("1.1 hello");
    expect(await ask2(session(number))).toBe("2.0 hello");
  });

  test("receives the whole body of one MiB over both versions", async () => {
    const { number } = await open();
    const body = "x".repeat(1 << 20);
    expect((await ask1(number, {}, body)).text).toHaveLength(body.length + 4);
    expect(await ask2(session(number), body)).toHaveLength(body.length + 4);
  });

  test("parses an HTTP/1.1 request that arrives one byte per packet", async () => {
    const { number } = await open();
    const { socket, closed } = raw(number);
    await writeByteByByte(
      socket,
      Buffer.from("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi"),
    );
    expect(await closed).toMatch(/^HTTP\/1\.1 200 OK\r\n.*1\.1 hi/s);
  });

  test("parses an HTTP/2 request that arrives one byte per packet", async () => {
    const { number } = await open();
    const { socket } = raw(number);
    const answered = new Promise<void>((resolve) => {
      let seen = Buffer.alloc(0);
      socket.on("data", (chunk) => {
        seen = Buffer.concat([seen, chunk]);
        if (seen.includes("2.0 ")) resolve();
      });
    });
    await writeByteByByte(socket, HTTP2_REQUEST);
    await answered;
  });

  test("serves a method that starts like the HTTP/2 preface over HTTP/1.1", async () => {
    const { number } = await open();
    expect((await ask1(number, { method: "PROPFIND" })).text).toBe("1.1 hello");
  });

  test("responds to an HTTP/1.1 client that half-closes its connection after the request", async () => {
    const { number } = await open();
    const { socket, closed } = raw(number);
    socket.end("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(await closed).toContain("1.1 ");
  });

  test("closes the connection of an HTTP/2 client that half-closes it", async () => {
    const { number } = await open();
    const { socket, closed } = raw(number);
    socket.write(HTTP2_REQUEST.subarray(0, 33));
    socket.once("data", () => socket.end());
    await closed;
  });

  test("responds to `expect: 100-continue` before the client sends the body", async () => {
    const { number } = await open();
    expect(await ask1(number, { headers: { expect: "100-continue" } })).toMatchObject({
      status: 200,
      text: "1.1 hello",
    });
  });

  test("ignores an upgrade to h2c", async () => {
    const { number } = await open();
    const headers = {
      connection: "Upgrade, HTTP2-Settings",
      upgrade: "h2c",
      "http2-settings": "AAMAAABkAARAAAAAAAIAAAAA",
    };
    expect(await ask1(number, { headers })).toMatchObject({ status: 200, text: "1.1 hello" });
  });

  test.each([
    ["data that is not HTTP", "\x16\x03\x01\x02\x00 no http\r\n\r\n", "HTTP/1.1 400 Bad Request"],
    ["a preface with a wrong end", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "HTTP/1.1 400 Bad Request"],
    ["a request head of 17 KiB", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(17 << 10)}\r\n\r\n`, "HTTP/1.1 431 "],
  ])("rejects %s", async (_what, bytes, start) => {
    const { number } = await open();
    const { socket, closed } = raw(number);
    socket.write(bytes, "latin1");
    expect(await closed).toContain(start);
    expect((await ask1(number)).status).toBe(200);
  });

  test("closes the connection if it ends within the HTTP/2 preface", async () => {
    const { number } = await open();
    const { socket, closed } = raw(number);
    socket.end("PRI * HTTP/2.0\r\n");
    expect(await closed).toBe("");
  });

  test.each([
    ["nothing", ""],
    ["half a preface", "PRI * HT"],
    ["half a request head", "GET / HTTP/1.1\r\nhost:"],
  ])("closes a connection after the header timeout if the client sends %s", async (_what, bytes) => {
    const { number } = await open({ budgets: { headMs: 20 } });
    const { socket, closed } = raw(number);
    socket.write(bytes);
    expect(await closed).toMatch(/^$|^HTTP\/1\.1 408 /);
  });

  test("closes an idle HTTP/2 connection after the idle timeout", async () => {
    const { number } = await open({ budgets: { idleMs: 20, headMs: 20 } });
    const client = session(number);
    await new Promise((resolve) => client.on("close", resolve));
  });

  test("serves later calls after clients have disconnected during a call", async () => {
    const { handler, begun, release } = gate();
    const { number } = await open({ handler });
    const { socket, closed } = raw(number);
    socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhi");
    await begun;
    socket.resetAndDestroy();
    await closed;
    const client = session(number);
    const stream = client.request({ ":method": "POST", ":path": "/" });
    stream.write("hi");
    stream.on("error", () => {}).close(constants.NGHTTP2_CANCEL);
    await new Promise((resolve) => stream.on("close", resolve));
    release();
    expect((await ask1(number)).text).toBe("finished");
    expect(await ask2(client)).toBe("finished");
  });

  test("closes the connection of a client that resets thousands of streams (CVE-2023-44487)", async () => {
    const { number } = await open({ handler: gate().handler });
    const { socket, closed } = raw(number);
    const frames = [HTTP2_REQUEST.subarray(0, 33)];
    for (let id = 1; id < 9_001; id += 2) {
      const stream = id.toString(16).padStart(8, "0");
      frames.push(
        Buffer.from(`0000060105${stream}${REQUEST_FIELDS}`, "hex"),
        Buffer.from(`0000040300${stream}00000008`, "hex"),
      );
    }
    socket.write(Buffer.concat(frames));
    await closed;
    expect((await ask1((await open()).number)).status).toBe(200);
  });

  test("rejects with Node's error if the port number is in use", async () => {
    const { number } = await open();
    const second = createPort({ handler: echo });
    await expect(second.listen(number, "127.0.0.1")).rejects.toMatchObject({ code: "EADDRINUSE" });
    await second.drain(0);
  });
});

describe("a drain", () => {
  test("completes a running HTTP/1.1 call and sends `connection: close`", async () => {
    const { handler, begun, release } = gate();
    const { port, number } = await open({ handler });
    const agent = new Http1Agent({ keepAlive: true });
    agents.push(agent);
    const call = ask1(number, { agent });
    await begun;
    const drained = port.drain(60_000);
    release();
    expect(await call).toMatchObject({ status: 200, text: "finished", connection: "close" });
    await drained;
  });

  test("completes a started HTTP/1.1 response, and closes its connection", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { port, number } = await open({
      handler: onNode((_request, response) => {
        response.write("begun");
        void released.then(() => response.end(" finished"));
      }),
    });
    const { socket, closed } = raw(number);
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    const drained = port.drain(60_000);
    release();
    expect(await closed).toContain(" finished");
    await drained;
  });

  test("completes a running HTTP/2 call, and accepts no later call on its connection", async () => {
    const { handler, begun, release } = gate();
    const { port, number } = await open({ handler });
    const client = session(number);
    const call = ask2(client);
    await begun;
    const goaway = new Promise((resolve) => client.on("goaway", resolve));
    const drained = port.drain(60_000);
    await goaway;
    await expect(async () => ask2(client)).rejects.toThrow();
    release();
    expect(await call).toBe("finished");
    await drained;
  });

  test("refuses new connections while a call completes", async () => {
    const { handler, begun, release } = gate();
    const { port, number } = await open({ handler });
    const call = ask2(session(number));
    await begun;
    const drained = port.drain(60_000);
    await expect(ask1(number)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    release();
    await call;
    await drained;
  });

  test("does not wait for idle connections", async () => {
    const { port, number } = await open();
    const agent = new Http1Agent({ keepAlive: true });
    agents.push(agent);
    await ask1(number, { agent });
    await ask2(session(number));
    const silent = raw(number).socket;
    const halfway = raw(number).socket;
    await new Promise((resolve) => silent.once("connect", resolve));
    await new Promise((resolve) => halfway.write("PRI", resolve));
    await port.drain(60_000);
  });

  test("disconnects a client that stalls after the grace period", async () => {
    const { handler, begun } = gate(2);
    const { port, number } = await open({ handler });
    const { socket, closed } = raw(number);
    socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhi");
    const stream = session(number).request({ ":method": "POST", ":path": "/" });
    const cut = new Promise((resolve) => stream.on("error", () => {}).on("close", resolve));
    await begun;
    await port.drain(20);
    await Promise.all([closed, cut]);
  });

  test("returns the same promise when it is called again", async () => {
    const { port } = await open();
    expect(port.drain(0)).toBe(port.drain(60_000));
    await port.drain(0);
  });
});

const certificate = selfSigned();
const describeTls = certificate ? describe : describe.skip;

describeTls(certificate ? "a port with TLS" : "a port with TLS (skipped: openssl is not installed)", () => {
  const { cert, key } = certificate ?? { cert: Buffer.alloc(0), key: Buffer.alloc(0) };
  const tls = { cert, key };
  const ca = { ca: cert, servername: "localhost" };

  test("selects HTTP/1.1 or HTTP/2 by ALPN", async () => {
    const { number } = await open({ tls });
    expect((await ask1(number, ca)).text).toBe("1.1 hello");
    const client = session(number, { ca: cert });
    expect(await ask2(client)).toBe("2.0 hello");
    expect(client.alpnProtocol).toBe("h2");
  });

  test("rejects TLS 1.1 and unencrypted requests", async () => {
    const { number } = await open({ tls });
    const old = connectTls({ port: number, host: "127.0.0.1", ...ca, minVersion: "TLSv1.1", maxVersion: "TLSv1.1" });
    await expect(
      new Promise((resolve, reject) => old.on("secureConnect", resolve).on("error", reject)),
    ).rejects.toThrow();
    await expect(ask1(number)).rejects.toThrow();
    expect((await ask1(number, ca)).status).toBe(200);
  });

  test("rejects data in a TLS connection that is not HTTP", async () => {
    const { number } = await open({ tls });
    const socket = connectTls({ port: number, host: "127.0.0.1", ...ca }, () => socket.write("no http\r\n\r\n"));
    sockets.push(socket);
    const text = await new Promise((resolve) => socket.once("data", (chunk) => resolve(String(chunk))));
    expect(text).toContain("HTTP/1.1 400 Bad Request");
  });

  test("closes a connection after the header timeout if the client sends nothing, or half a request head", async () => {
    const { number } = await open({ tls, budgets: { headMs: 50 } });
    await raw(number).closed;
    const socket = connectTls({ port: number, host: "127.0.0.1", ...ca }, () =>
      socket.write("GET / HTTP/1.1\r\nhost:"),
    );
    socket.on("error", () => {}).resume();
    await new Promise((resolve) => socket.on("close", resolve));
  });

  test("completes running calls and closes idle connections in a drain", async () => {
    const { handler, begun, release } = gate(2);
    const { port, number } = await open({ tls, handler });
    const agent = new HttpsAgent({ keepAlive: true });
    agents.push(agent);
    const silent = raw(number).socket;
    await new Promise((resolve) => silent.once("connect", resolve));
    const idle = connectTls({ port: number, host: "127.0.0.1", ...ca });
    idle.on("error", () => {}).resume();
    await new Promise((resolve) => idle.on("secureConnect", resolve));
    const idle2 = session(number, { ca: cert });
    await new Promise((resolve) => idle2.on("remoteSettings", resolve));
    const calls = [ask2(session(number, { ca: cert })), ask1(number, { ...ca, agent }).then(({ text }) => text)];
    await begun;
    const drained = port.drain(60_000);
    release();
    expect(await Promise.all(calls)).toEqual(["finished", "finished"]);
    await drained;
  });
});

function selfSigned(): { cert: Buffer; key: Buffer } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "signet-tls-"));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  try {
    execFileSync("openssl", ["req", "-x509", "-days", "2", ...curve, ...name, "-keyout", key, "-out", cert], {
      stdio: "ignore",
    });
    return { cert: readFileSync(cert), key: readFileSync(key) };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a handler that throws fails only its own request", async () => {
  const faults: Error[] = [];
  let calls = 0;
  const handler: Handler = (exchange) => {
    calls += 1;
    if (calls === 1) throw new Error("thrown");
    exchange.send(200, [], Buffer.from("finished"));
  };
  const { number } = await open({ handler, onFault: (fault) => faults.push(fault) });
  const failed = await ask1(number);
  expect(failed.status).toBe(500);
  expect(JSON.parse(failed.text)).toMatchObject({ code: 13, details: [{ reason: "INTERNAL" }] });
  expect(await ask1(number)).toMatchObject({ status: 200, text: "finished" });
  expect(faults).toMatchObject([{ message: "the handler failed", cause: { message: "thrown" } }]);
});
