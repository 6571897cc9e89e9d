import type { IncomingHttpHeaders } from "node:http";
import { readTimeoutMs } from "../timeout.ts";

/** Content types that are binary protobuf, and their protocols. */
const CONTENT_TYPES: ReadonlyMap<string | undefined, "grpc" | "grpc-web"> = new Map([
  ["application/grpc", "grpc"],
  ["application/grpc+proto", "grpc"],
  ["application/grpc-web", "grpc-web"],
  ["application/grpc-web+proto", "grpc-web"],
]);

/** The headers of a gRPC or gRPC-Web call. */
interface GrpcCall {
  readonly protocol: "grpc" | "grpc-web";
  /** How long the caller waits, in milliseconds. */
  readonly timeoutMs: number | undefined;
}

/** The protocol of a gRPC or gRPC-Web call; undefined for other requests. */
export function grpcProtocolOf(headers: IncomingHttpHeaders): GrpcCall["protocol"] | undefined {
  // HTTP/2 does not trim values.
  const match = /^[\t ]*application\/grpc(-web)?\b/i.exec(headers["content-type"] ?? "");
  if (match === null) return undefined;
  return match[1] === undefined ? "grpc" : "grpc-web";
}

/**
 * Reads the headers of a plain call: binary, not compressed. Returns undefined for any other call, which Connect
 * serves.
 */
export function readGrpcHeaders(headers: IncomingHttpHeaders): GrpcCall | undefined {
  const protocol = CONTENT_TYPES.get(headers["content-type"]);
  const encoding = headers["grpc-encoding"];
  if (protocol === undefined || (encoding !== undefined && encoding !== "identity")) return undefined;
  const timeoutMs = readTimeoutMs(protocol, headers);
  const isMalformed = timeoutMs === undefined && headers["grpc-timeout"] !== undefined;
  return isMalformed ? undefined : { protocol, timeoutMs };
}
