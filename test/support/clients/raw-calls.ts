import { Agent, request as http1Request, type IncomingHttpHeaders } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { create, type DescMessage, fromBinary, fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import { sql } from "kysely";
import { BadRequestSchema, ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "../../../gen/google/rpc/status_pb.js";
import { ImportHumanUserRequestSchema } from "../../../gen/signet/v1/management_pb.js";
import type { Database } from "../../../src/database/database.ts";
import { readRestResponse } from "./callers.ts";

/** All protocols in which bytes can carry a call. */
export const RAW_PROTOCOLS = ["grpc", "grpc-web", "connect-proto", "connect-json", "rest"] as const;
export type RawProtocol = (typeof RAW_PROTOCOLS)[number];

export const IMPORT_RPC = "/signet.v1.ManagementService/ImportHumanUser";
export const IMPORT_PATH = "/management/v1/users/human/_import";

/** A response as received. */
export interface HttpResponse {
  readonly http: number;
  readonly headers: IncomingHttpHeaders;
  /** Trailers of HTTP/2. */
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the connection had served another request before. */
  readonly reused: boolean;
}

/** A response, and the outcome that it encodes. */
export interface RawResponse extends HttpResponse {
  /** Number of google.rpc.Code, 0 for success; undefined if the response has none. */
  readonly code: number | undefined;
  readonly reason: string | undefined;
  /** Names of the violated fields, sorted. */
  readonly fields: readonly string[];
  readonly message: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent in several parts, it has no content-length. */
  readonly body?: Buffer | Buffer[];
  /** Whether the end of the body is never sent. */
  readonly endless?: boolean;
}

/** A request over HTTP/1.1. */
export function askHttp1(port: number, request: RawRequest, agent?: Agent): Promise<HttpResponse> {
  const { method = "POST", path, headers = {}, body = Buffer.alloc(0) } = request;
  return new Promise((resolve, reject) => {
    const call = http1Request(
      { host: "127.0.0.1", port, method, path, ...(agent && { agent }), setDefaultHeaders: true, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          if (request.endless) call.destroy();
          const { statusCode: http = 0, headers: received } = response;
          resolve({
            http,
            headers: received,
            trailers: response.trailers,
            body: Buffer.concat(chunks),
            reused: call.reusedSocket,
          });
        });
      },
    );
    call.on("error", reject);
    const parts = Buffer.isBuffer(body) ? [body] : body;
    if (Buffer.isBuffer(body) && body.length > 0 && call.getHeader("content-length") === undefined) {
      call.setHeader("content-length", body.length);
    }
    call.flushHeaders();
    for (const part of parts) call.write(part);
    if (!request.endless) call.end();
  });
}

/** A request over an open HTTP/2 connection. */
export function askHttp2(session: ClientHttp2Session, request: RawRequest): Promise<HttpResponse> {
  const { method = "POST", path, headers = {}, body = Buffer.alloc(0) } = request;
  const stream = session.request({ ":method": method, ":path": path, ...headers });
  for (const part of Buffer.isBuffer(body) ? [body] : body) if (part.length > 0) stream.write(part);
  if (!request.endless) stream.end();
  return responseOf(stream);
}

/** The response to a request over HTTP/2. */
export function responseOf(stream: ClientHttp2Stream): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders & { ":status"?: number | undefined } = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on("response", (received) => {
      headers = received;
    });
    stream.on("trailers", (received) => {
      trailers = received;
    });
    stream.on("data", (chunk) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("end", () =>
      resolve({ http: headers[":status"] ?? 0, headers, trailers, body: Buffer.concat(chunks), reused: true }),
    );
  });
}

/** An HTTP/2 connection that ignores errors when it ends. */
export function openHttp2(port: number): ClientHttp2Session {
  return connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
}

/** The bytes of a message in a protocol, and the request around them. */
export function rawRequest(protocol: RawProtocol, body: Buffer, headers: Record<string, string> = {}): RawRequest {
  const types = {
    grpc: "application/grpc",
    "grpc-web": "application/grpc-web+proto",
    "connect-proto": "application/proto",
    "connect-json": "application/json",
    rest: "application/json",
  } as const satisfies Record<RawProtocol, string>;
  const all = { "content-type": types[protocol], ...(protocol === "grpc" && { te: "trailers" }), ...headers };
  return { path: protocol === "rest" ? IMPORT_PATH : IMPORT_RPC, headers: all, body };
}

/** One connection per HTTP version, on which requests follow one another. */
export interface Connections {
  readonly http2: ClientHttp2Session;
  /** gRPC uses HTTP/2, everything else HTTP/1.1. */
  ask(protocol: RawProtocol, request: RawRequest): Promise<RawResponse>;
  close(): void;
}

export function openConnections(port: number): Connections {
  let session: ClientHttp2Session | undefined;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get http2() {
      // The service ends a connection that was idle for two minutes.
      if (session === undefined || session.closed || session.destroyed) session = openHttp2(port);
      return session;
    },
    async ask(protocol, request) {
      return readResponse(
        protocol,
        protocol === "grpc" ? await askHttp2(this.http2, request) : await askHttp1(port, request, agent),
      );
    },
    close() {
      session?.destroy();
      agent.destroy();
    },
  };
}

/** The outcome that a response encodes in its protocol. */
export async function readResponse(protocol: RawProtocol, answer: HttpResponse): Promise<RawResponse> {
  const none = { code: undefined, reason: undefined, fields: [], message: "" };
  switch (protocol) {
    case "grpc":
      return { ...answer, ...readGrpcStatus({ ...answer.headers, ...answer.trailers }) };
    case "grpc-web":
      return { ...answer, ...readGrpcStatus({ ...answer.headers, ...readWebTrailers(answer.body) }) };
    case "connect-proto":
    case "connect-json":
      if (answer.http === 200) return { ...answer, ...none, code: 0 };
      if (answer.headers["content-type"] !== "application/json") return { ...answer, ...none };
      return { ...answer, ...readConnectError(JSON.parse(answer.body.toString())) };
    case "rest": {
      const outcome = await readRestResponse(
        new Response(new Uint8Array(answer.body), { status: answer.http, headers: { "content-type": "x/y" } }),
      );
      return { ...answer, ...(outcome.ok ? { ...none, code: 0 } : outcome), http: answer.http };
    }
  }
}

/** A message in a frame of gRPC. */
export function frame(message: Uint8Array, flags = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

/** A human user to import. */
export function human(userName: string, more: JsonObject = {}): JsonObject {
  const profile = { firstName: "Ada", lastName: "Lovelace" };
  return { userName, profile, email: { email: "ada@example.com", isEmailVerified: true }, ...more };
}

/** The number of rows in each table that an import writes to. */
export async function countRows(db: Database): Promise<number> {
  const count = sql<number>`((select count(*) from users) + (select count(*) from events) + (select count(*) from messages))::int`;
  const { rows } = await sql<{ count: number }>`select ${count} as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** An import in the bytes of a protocol. */
export function importBody(protocol: RawProtocol, request: JsonObject): Buffer {
  if (protocol === "connect-json" || protocol === "rest") return Buffer.from(JSON.stringify(request));
  const bytes = Buffer.from(toBinary(ImportHumanUserRequestSchema, fromJson(ImportHumanUserRequestSchema, request)));
  return protocol === "connect-proto" ? bytes : frame(bytes);
}

function readGrpcStatus(headers: IncomingHttpHeaders) {
  const status = headers["grpc-status"];
  const bytes = headers["grpc-status-details-bin"];
  return {
    code: status === undefined ? undefined : Number(status),
    message: decodeURIComponent(String(headers["grpc-message"] ?? "")),
    ...readDetails(
      bytes === undefined ? create(StatusSchema) : fromBinary(StatusSchema, Buffer.from(String(bytes), "base64")),
    ),
  };
}

/** The trailers at the end of the body of a gRPC-Web response. */
function readWebTrailers(body: Buffer): IncomingHttpHeaders {
  for (let at = 0; at + 5 <= body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    const text = body.subarray(at + 5, end).toString("latin1");
    if (((body[at] ?? 0) & 0x80) !== 0) {
      const lines = text.split("\r\n").filter((line) => line !== "");
      return Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
      );
    }
    at = end;
  }
  return {};
}

function readConnectError(error: { code: string; message?: string; details?: { type: string; value: string }[] }) {
  const read = <T extends DescMessage>(schema: T) => {
    const found = error.details?.find(({ type }) => type === schema.typeName);
    return found && fromBinary(schema, Buffer.from(found.value, "base64"));
  };
  return {
    code: codeFromString(error.code),
    message: error.message ?? "",
    reason: read(ErrorInfoSchema)?.reason,
    fields: (read(BadRequestSchema)?.fieldViolations ?? []).map(({ field }) => field).sort(),
  };
}

function readDetails({ details }: Status) {
  const info = details.map((any) => anyUnpack(any, ErrorInfoSchema)).find((found) => found !== undefined);
  const bad = details.map((any) => anyUnpack(any, BadRequestSchema)).find((found) => found !== undefined);
  return { reason: info?.reason, fields: bad?.fieldViolations.map(({ field }) => field).sort() ?? [] };
}
