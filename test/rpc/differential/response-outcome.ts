import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  create,
  createRegistry,
  type DescMessage,
  fromBinary,
  type JsonObject,
  type JsonValue,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../../gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "../../../gen/google/rpc/status_pb.js";
import type { HttpResponse } from "../../support/clients/raw-calls.ts";

/** The outcome in a response, in the same shape for all protocols. Missing parts are absent. */
export interface Outcome {
  /** HTTP status, or the reason why there was no response. */
  http?: number | string;
  type?: JsonValue;
  /** Number of google.rpc.Code, 0 for success. */
  code?: number;
  /** The message of an error. */
  text?: string;
  /**
   * The details of an error in JSON, with the code and message of google.rpc.Status if they differ from the ones
   * outside.
   */
  details?: JsonValue;
  /** The message of a success, in JSON. */
  message?: JsonValue;
  /** The relevant headers and trailers. */
  deprecation?: JsonValue;
  authenticate?: JsonValue;
  allow?: JsonValue;
  encoding?: JsonValue;
  acceptEncoding?: JsonValue;
  /** For a call that the caller ends: whether the operation had started. */
  begun?: boolean;
  /** The request that the operation got, in JSON, if the servers record it. */
  recorded?: JsonValue;
}

const REGISTRY = createRegistry(ErrorInfoSchema, BadRequestSchema, RetryInfoSchema);
const TRAILERS = 0x80;

/** @param output The response message of a success. */
export function readOutcome(response: HttpResponse, output: DescMessage): Outcome {
  const type = response.headers["content-type"];
  const isGrpc = type?.startsWith("application/grpc");
  const frames = isGrpc ? splitFrames(response) : [];
  const webTrailers = frames
    .filter(({ flags }) => (flags & TRAILERS) !== 0)
    .map(({ payload }) => readTrailers(payload));
  const all: Record<string, unknown> = {
    ...response.headers,
    ...response.trailers,
    ...Object.assign({}, ...webTrailers),
  };
  const body = isGrpc ? readGrpc(all, frames, output) : readUnframed(response, output);
  return clean({
    http: response.http,
    type,
    deprecation: all.deprecation,
    authenticate: all["www-authenticate"],
    allow: all.allow,
    encoding: all["grpc-encoding"],
    acceptEncoding: all["grpc-accept-encoding"],
    ...body,
  });
}

interface Frame {
  readonly flags: number;
  readonly payload: Buffer;
}

function splitFrames({ body, headers }: HttpResponse): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < body.length; ) {
    const flags = body.readUInt8(at);
    const end = at + 5 + body.readUInt32BE(at + 1);
    const bytes = body.subarray(at + 5, end);
    const decompress = headers["grpc-encoding"] === "br" ? brotliDecompressSync : gunzipSync;
    frames.push({ flags, payload: (flags & 1) === 1 ? decompress(bytes) : bytes });
    at = end;
  }
  return frames;
}

/** PROTOCOL-WEB.md: "Key-value pairs encoded as a HTTP/1 headers block (without the terminating newline)". */
function readTrailers(payload: Buffer): Record<string, string> {
  const lines = payload.toString("latin1").split("\r\n").slice(0, -1);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trimStart()]),
  );
}

function readGrpc(trailers: Record<string, unknown>, frames: readonly Frame[], output: DescMessage): object {
  const messages = frames.filter(({ flags }) => (flags & TRAILERS) === 0).map(({ payload }) => payload);
  const read = (bytes: Buffer) =>
    String(trailers["content-type"]).includes("json")
      ? JSON.parse(bytes.toString())
      : toJson(output, fromBinary(output, bytes));
  const code = trailers["grpc-status"] === undefined ? undefined : Number(trailers["grpc-status"]);
  const text = trailers["grpc-message"] && decodeURIComponent(String(trailers["grpc-message"]));
  return {
    code,
    text: text || undefined,
    details: readStatus(trailers["grpc-status-details-bin"], code, text),
    message: messages.length > 1 ? messages.map(read) : messages.map(read)[0],
  };
}

function readStatus(value: unknown, code: unknown, text: unknown): JsonValue | undefined {
  if (value === undefined) return undefined;
  const status = toJson(StatusSchema, fromBinary(StatusSchema, Buffer.from(String(value), "base64")), {
    registry: REGISTRY,
  }) as JsonObject;
  const isSame = status.code === code && (status.message ?? "") === (text ?? "");
  return isSame ? status.details : status;
}

function readUnframed({ http, body, headers }: HttpResponse, output: DescMessage): object {
  const type = headers["content-type"];
  if (type === "application/proto") return { code: 0, message: toJson(output, fromBinary(output, body)) };
  if (type !== "application/json") return { message: body.length > 0 ? body.toString() : undefined };
  // A response to HEAD has no body.
  if (body.length === 0) return { message: undefined };
  const json = JSON.parse(body.toString());
  if (http === 200) return { code: 0, message: json };
  const isConnect = typeof json.code === "string";
  const details = isConnect ? json.details?.map(readConnectDetail) : json.details;
  return { code: isConnect ? codeFromString(json.code) : json.code, text: json.message || undefined, details };
}

/** A Connect error detail in the form used by REST. */
function readConnectDetail({ type, value }: { type: string; value: string }): JsonValue {
  const any = { typeUrl: `type.googleapis.com/${type}`, value: Buffer.from(value, "base64") };
  const status = fromBinary(StatusSchema, toBinary(StatusSchema, create(StatusSchema, { details: [any] })));
  return ((toJson(StatusSchema, status, { registry: REGISTRY }) as JsonObject).details as JsonValue[])[0] ?? null;
}

function clean(outcome: Record<string, unknown>): Outcome {
  return Object.fromEntries(Object.entries(outcome).filter(([, value]) => value !== undefined));
}
