import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { afterEach, describe, expect, test } from "@jest/globals";
import { FrameFlag, FrameType, goAway } from "../../../src/http/guard/frames.ts";
import { DEFAULT_HTTP2_BUDGETS } from "../../../src/http/guard/http2-budgets.ts";
import { checkTap } from "../../../src/http/guard/tap.ts";
import { type GuardedServer, startGuardedServer } from "../../support/guarded-server.ts";
import { frame, HELLO, headers, indexed, literal, request } from "../../support/http2-frames.ts";
import { createRandom } from "../../support/random.ts";
import { fetchOnce } from "../../support/recorded-client.ts";

const isInstalled = (command: string, ...args: string[]) => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const hasOpenssl = isInstalled("openssl", "version");
const hasCurl = isInstalled("curl", "--version");
const resets = { burst: 50, perSecond: 10, perStream: 0.5 };
const ping = frame(FrameType.ping, 0, 0, Buffer.alloc(8));

const opened: { destroy(): void }[] = [];
const servers: GuardedServer[] = [];

afterEach(async () => {
  for (const client of opened.splice(0)) client.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

test("Node has the internals that the tap uses", () => {
  expect(checkTap).not.toThrow();
});

describe.each(hasOpenssl ? ["clear text", "TLS"] : ["clear text"])("behind the guard, over %s", (wire) => {
  const tls = wire === "TLS" ? createCertificate() : undefined;

  async function start(): Promise<GuardedServer> {
    const server = await startGuardedServer(tls, { ...DEFAULT_HTTP2_BUDGETS, resets });
    servers.push(server);
    return server;
  }
  function client({ port }: GuardedServer): ClientHttp2Session {
    const session = connectHttp2(`http${tls ? "s" : ""}://127.0.0.1:${port}`, { rejectUnauthorized: false });
    session.on("error", () => {});
    opened.push(session);
    return session;
  }
  /** A connection, once it is open. */
  async function raw({ port }: GuardedServer): Promise<Socket> {
    const socket = tls
      ? connectTls({ port, host: "127.0.0.1", ALPNProtocols: ["h2"], rejectUnauthorized: false })
      : connectTcp(port, "127.0.0.1");
    socket.on("error", () => {});
    opened.push(socket);
    await new Promise((resolve) => socket.once(tls ? "secureConnect" : "connect", resolve).once("close", resolve));
    return socket;
  }
  /** The data received on a connection until it closes. */
  async function readAll(socket: Socket): Promise<Buffer> {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    await new Promise((resolve) => socket.once("close", resolve));
    return Buffer.concat(chunks);
  }

  test("a request whose header nghttp2 would drop gets 400, and other requests of the connection get 200", async () => {
    const session = client(await start());
    for (const value of ["org\n", "org\x01", "org\x7f", "\rorg"]) {
      expect(await fetchOnce(session, { "x-service-orgid": value })).toMatchObject({ ":status": 400 });
      expect(await fetchOnce(session, { "x-service-orgid": "org" })).toMatchObject({ ":status": 200 });
    }
    expect(await fetchOnce(session, { authorization: "Bearer a\n" })).toMatchObject({ ":status": 400 });
  });

  test("a slow client receives a 20 MB response completely", async () => {
    const session = client(await start());
    const stream = session.request({ ":path": "/large/20000000" });
    let bytes = 0;
    let pauses = 0;
    stream.on("data", (chunk) => {
      bytes += chunk.length;
      if (bytes < pauses * 2_000_000) return;
      pauses++;
      stream.pause();
      setTimeout(() => stream.resume(), 20);
    });
    await new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject));
    expect(bytes).toBe(20_000_000);
  });

  test("a 5 MB body arrives completely", async () => {
    const session = client(await start());
    const stream = session.request({ ":method": "POST", ":path": "/" });
    stream.end(Buffer.alloc(5_000_000));
    let text = "";
    stream.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    await new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject));
    expect(text).toBe("5000000");
  });

  test("a flood ends with GOAWAY ENHANCE_YOUR_CALM, and is reported once", async () => {
    const server = await start();
    const socket = await raw(server);
    const response = readAll(socket);
    socket.write(Buffer.concat([HELLO, headers(1, request())]));
    for (let index = 0; index < 20 && !socket.destroyed; index++) {
      socket.write(Buffer.concat(Array.from({ length: 200 }, () => ping)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [isAnnounced, ...others] = [
      await response.then((bytes) => bytes.includes(goAway(1, 0xb, "too many PING frames"))),
      ...server.faults,
    ];
    expect(isAnnounced).toBe(true);
    expect(others).toMatchObject([{ kind: "flood", code: 0xb }]);
    expect(await fetchOnce(client(server), {})).toMatchObject({ ":status": 200 });
  });

  test("a fault in the first bytes ends the same way", async () => {
    const server = await start();
    const socket = await raw(server);
    socket.write(Buffer.concat([HELLO, headers(1, Buffer.of(0x80))]));
    const response = await readAll(socket);
    expect(response.includes(goAway(0, 0x9, "a header block cannot be decoded"))).toBe(true);
    expect(server.faults).toMatchObject([{ kind: "compression" }]);
  });

  test("a fault while a response is being sent leaves the server running", async () => {
    const server = await start();
    const large = Buffer.concat([indexed(2), indexed(6), literal(4, "/large/30000000"), literal(1, "localhost")]);
    for (let round = 0; round < 3; round++) {
      const socket = await raw(server);
      socket.write(Buffer.concat([HELLO, frame(FrameType.windowUpdate, 0, 0, Buffer.of(0x0f, 0, 0, 0))]));
      socket.write(Buffer.concat([1, 3, 5].map((id) => headers(id, large))));
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.write(headers(7, Buffer.of(0x80)));
      socket.resume();
      await new Promise((resolve) => socket.once("close", resolve));
    }
    expect(server.faults.length).toBe(3);
    expect(await fetchOnce(client(server), {})).toMatchObject({ ":status": 200 });
  });

  test("connections that break at any moment leave the server running", async () => {
    const server = await start();
    const random = createRandom(7);
    const path = (text: string) => Buffer.concat([indexed(2), indexed(6), literal(4, text), literal(1, "localhost")]);
    const breakOne = async () => {
      const socket = await raw(server);
      const parts: Buffer[] = [HELLO];
      const last = random.between(2, 80);
      for (let id = 1; id < last; id += 2) {
        const isWhole = random.chance(0.7);
        const flags = isWhole ? FrameFlag.endHeaders | FrameFlag.endStream : FrameFlag.endHeaders;
        parts.push(headers(id, path(random.chance(0.3) ? "/large/100000" : "/"), flags));
        if (!isWhole) parts.push(frame(FrameType.data, 0, id, Buffer.alloc(random.below(3_000))));
        if (random.chance(0.2)) parts.push(frame(FrameType.resetStream, 0, id, Buffer.alloc(4)));
      }
      if (random.chance(0.3))
        parts.push(random.pick([headers(201, Buffer.of(0x80)), frame(FrameType.goAway, 0, 0, Buffer.alloc(8))]));
      if (random.chance(0.7)) socket.resume();
      for (const part of random.cut(Buffer.concat(parts), 5)) socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, random.below(10)));
      if (random.chance(0.2))
        for (const session of server.sessions) random.chance(0.5) ? session.destroy() : session.close();
      if (random.chance(0.3)) socket.end();
      else if (random.chance(0.5) && !tls) socket.resetAndDestroy();
      else socket.destroy();
    };
    for (let round = 0; round < (tls ? 15 : 30); round++) await Promise.all(Array.from({ length: 10 }, breakOne));
    expect(await fetchOnce(client(server), {})).toMatchObject({ ":status": 200 });
  });

  test("a gRPC client makes 500 calls, some of them canceled, without a fault", async () => {
    const server = await start();
    const credentials = tls ? grpc.credentials.createSsl(tls.cert) : grpc.credentials.createInsecure();
    const rpc = new grpc.Client(`localhost:${server.port}`, credentials);
    const identity = (bytes: Buffer) => bytes;
    const call = (index: number) =>
      new Promise<number>((resolve) => {
        const metadata = new grpc.Metadata();
        metadata.set("authorization", `Bearer ${index}`);
        const sent = rpc.makeUnaryRequest("/a.B/C", identity, identity, Buffer.alloc(index), metadata, (error) => {
          resolve(error?.code ?? 0);
        });
        if (index % 10 === 0) setImmediate(() => sent.cancel());
      });
    for (let round = 0; round < 10; round++) {
      const codes = await Promise.all(Array.from({ length: 50 }, (_, index) => call(round * 50 + index)));
      expect(codes.filter((code) => code !== 0 && code !== grpc.status.CANCELLED)).toEqual([]);
    }
    rpc.close();
    expect(server.faults).toEqual([]);
  });

  (hasCurl ? test : test.skip)("curl gets its answer", async () => {
    const server = await start();
    const args = tls
      ? ["-k", "--http2", `https://127.0.0.1:${server.port}/`]
      : ["--http2-prior-knowledge", `http://127.0.0.1:${server.port}/`];
    const { stdout } = await promisify(execFile)("curl", ["-s", "-d", "12345", ...args, "-w", " %{http_version}"]);
    expect(stdout).toBe("5 2");
    expect(server.faults).toEqual([]);
  });
});

function createCertificate(): { cert: Buffer; key: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "guard-"));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", "-days", "2", ...curve, ...name, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  const pair = { cert: readFileSync(cert), key: readFileSync(key) };
  rmSync(folder, { recursive: true });
  return pair;
}
