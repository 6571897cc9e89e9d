import { type Agent, request as requestHttp1 } from "node:http";
import type { ClientHttp2Session } from "node:http2";
import { connect as connectTcp } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { type HttpResponse, responseOf } from "../../support/clients/raw-calls.ts";

/** A request as bytes, as far as Node's clients allow it. */
export interface WireRequest {
  readonly over: "http1" | "http2";
  readonly method: string;
  /** Undefined for CONNECT over HTTP/2. */
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Each is sent separately, with pauses in between. */
  readonly parts: readonly Buffer[];
  /** `headers`: the head ends the request (END_STREAM). */
  readonly ending?: "headers" | Reset;
}

/** The caller resets the HTTP/2 stream: with the head in one packet, or once the server has read everything sent. */
export interface Reset {
  readonly code: number;
  readonly when: "at once" | "later";
}

const PATIENCE_MS = 60_000;

/** @returns The response, or a description of why there was none. */
export async function sendHttp1(port: number, agent: Agent, sent: WireRequest): Promise<HttpResponse | string> {
  const { method, path, headers, parts } = sent;
  const [only, more] = parts;
  const call = requestHttp1({
    host: "127.0.0.1",
    port,
    agent,
    method,
    path,
    headers: { ...(more === undefined && { "content-length": only?.length ?? 0 }), ...headers },
    setHost: headers.host === undefined && headers["x-no-host"] === undefined,
    timeout: PATIENCE_MS,
  });
  const { promise, resolve } = Promise.withResolvers<HttpResponse | string>();
  call.on("error", (error: NodeJS.ErrnoException) => resolve(`broken off: ${error.code}`));
  call.on("timeout", () => {
    resolve("no answer");
    call.destroy();
  });
  call.on("response", (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk) => chunks.push(chunk));
    response.on("error", () => resolve("broken off"));
    response.on("end", () => {
      const { statusCode: http = 0, trailers } = response;
      resolve({ http, headers: response.headers, trailers, body: Buffer.concat(chunks), reused: call.reusedSocket });
    });
  });
  if (more === undefined) {
    call.end(only);
    return promise;
  }
  call.flushHeaders();
  for (const part of parts) {
    call.write(part);
    await turn();
  }
  call.end();
  return promise;
}

/** @returns The response, or a description of why there was none. */
export async function sendHttp2(session: ClientHttp2Session, sent: WireRequest): Promise<HttpResponse | string> {
  const { method, path, headers, parts, ending } = sent;
  const stream = session.request(
    { ":method": method, ...(path !== undefined && { ":path": path }), ...headers },
    { endStream: ending === "headers" },
  );
  stream.setTimeout(PATIENCE_MS, () => stream.destroy(new Error("no answer")));
  const answer = Promise.race([
    responseOf(stream).catch((error: Error) => error.message),
    // After the end: an error of `answerOf` comes first.
    new Promise<string>((resolve) => stream.once("close", () => setImmediate(() => resolve("closed")))),
  ]);
  if (ending === "headers") return answer;
  for (const part of parts) {
    if (stream.destroyed || stream.closed) break;
    stream.write(part);
    await turn();
  }
  stream.end();
  return answer;
}

const PING = 6;

/** Handwritten HTTP/2 frames, because Node's client ends the body before it resets a stream. */
export async function sendAndReset(port: number, { method, path, headers, parts }: WireRequest, reset: Reset) {
  const all = { ":method": method, ":path": path, ":scheme": "http", ":authority": "a", ...headers };
  const before = [
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frame(4, 0, Buffer.alloc(0), 0),
    frame(1, 4, Buffer.concat(Object.entries(all).map(([name, value]) => field(name, String(value))))),
    ...parts.map((part) => frame(0, 0, part)),
  ];
  const socket = connectTcp(port, "127.0.0.1").on("error", () => {});
  const resetStream = frame(3, 0, Buffer.of(0, 0, 0, reset.code));
  if (reset.when === "at once") {
    await acknowledgedPing(socket, Buffer.concat([...before, resetStream]));
  } else {
    await acknowledgedPing(socket, Buffer.concat(before));
    await acknowledgedPing(socket, resetStream);
  }
  socket.destroy();
}

/**
 * Sends bytes, and resolves once the server has read them: it has acknowledged a PING after them, or closed the
 * connection.
 */
function acknowledgedPing(socket: ReturnType<typeof connectTcp>, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const read = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let at = 0; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3)) {
        if (received[at + 3] !== PING) continue;
        socket.off("data", read);
        resolve();
      }
    };
    socket.on("data", read).once("close", () => resolve());
    socket.write(Buffer.concat([bytes, frame(PING, 0, Buffer.alloc(8), 0)]));
  });
}

function frame(type: number, flags: number, payload: Buffer, stream = 1): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** RFC 7541, section 6.2.2: a literal field without indexing, with lengths in the form of section 5.1. */
function field(name: string, value: string): Buffer {
  const text = (bytes: Buffer) => {
    if (bytes.length >= 254) throw new Error("too long for a field of these tests");
    const length = bytes.length < 127 ? [bytes.length] : [127, bytes.length - 127];
    return [Buffer.from(length), bytes];
  };
  return Buffer.concat([Buffer.of(0), ...text(Buffer.from(name)), ...text(Buffer.from(value, "latin1"))]);
}
