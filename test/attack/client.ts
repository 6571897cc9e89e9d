import { connect as connectHttp2 } from "node:http2";
import type { Socket } from "node:net";
import type { AttackContext } from "./attack.ts";
import { IMPORT_REST, IMPORT_RPC } from "./requests.ts";

export const WIRES = ["rest", "grpc", "connect"] as const;
export type Wire = (typeof WIRES)[number];

/** An import as bytes. */
export interface ClientRequest {
  readonly token: string;
  readonly body: Buffer;
  readonly format: "json" | "proto";
  readonly isGzip?: boolean;
}

/** An attacker's connection that sends requests and waits for the responses. */
export interface Client {
  readonly isOpen: () => boolean;
  /** @returns The HTTP status or `grpc-status`, or why there is none; also counted. */
  ask(request: ClientRequest): Promise<string>;
  close(): void;
}

/** gRPC uses HTTP/2, the others HTTP/1.1, where a connection carries one request at a time. */
export async function openClient(context: AttackContext, wire: Wire): Promise<Client | undefined> {
  const socket = await context.connect(wire === "grpc" ? "h2" : "http/1.1");
  if (socket === undefined) return undefined;
  const client = wire === "grpc" ? openGrpc(socket) : openHttp1(socket, wire);
  return {
    ...client,
    async ask(request) {
      const status = await client.ask(request);
      context.count(`answers ${status}`);
      return status;
    },
  };
}

function openHttp1(socket: Socket, wire: "rest" | "connect"): Client {
  let text = "";
  let done: (status: string) => void = () => {};
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? Number.NaN);
    if (end < 0 || text.length < end + 4 + length) return;
    const status = text.slice(9, 12);
    text = "";
    done(status);
  });
  socket.once("close", () => done("closed"));
  return {
    isOpen: () => socket.writable,
    ask({ token, body, format, isGzip }) {
      const lines = [
        `POST ${wire === "rest" ? IMPORT_REST : IMPORT_RPC} HTTP/1.1`,
        "host: localhost",
        `authorization: Bearer ${token}`,
        `content-type: application/${format}`,
        `content-length: ${body.length}`,
        ...(isGzip ? ["content-encoding: gzip"] : []),
      ];
      return new Promise((resolve) => {
        done = resolve;
        if (!socket.writable) resolve("closed");
        else socket.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body]));
      });
    },
    close: () => socket.destroy(),
  };
}

function openGrpc(socket: Socket): Client {
  // The socket is already connected to 127.0.0.1.
  const session = connectHttp2("http://127.0.0.1", { createConnection: () => socket });
  session.on("error", () => {});
  return {
    isOpen: () => !session.closed && !session.destroyed,
    ask({ token, body, isGzip }) {
      const head = Buffer.alloc(5);
      head[0] = isGzip ? 1 : 0;
      head.writeUInt32BE(body.length, 1);
      return new Promise((resolve) => {
        if (session.closed || session.destroyed) return resolve("closed");
        const stream = session.request({
          ":method": "POST",
          ":path": IMPORT_RPC,
          "content-type": "application/grpc",
          te: "trailers",
          authorization: `Bearer ${token}`,
          ...(isGzip && { "grpc-encoding": "gzip" }),
        });
        let status = "closed";
        stream.on("response", (fields) => {
          status = `grpc ${fields["grpc-status"] ?? "?"}`;
        });
        stream.on("trailers", (fields) => {
          status = `grpc ${fields["grpc-status"]}`;
        });
        stream.on("error", () => {});
        stream.on("close", () => resolve(status));
        stream.resume();
        stream.end(Buffer.concat([head, body]));
      });
    },
    close: () => session.destroy(),
  };
}
