import { getOption } from "@bufbuild/protobuf";
import { http } from "../../gen/google/api/annotations_pb.js";
import type { ErrorCode, Reason } from "../errors.ts";
import { CODES, httpStatusOf } from "../http/error-object.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ServerSpan, SpanAttributes, Tracer } from "../telemetry/span.ts";
import type { Rpc } from "./implement.ts";

/** How a call ended. */
interface CallEnd {
  /** `ok`, `canceled`, or the code of an error. */
  readonly code: string;
  readonly reason?: string | undefined;
  readonly orgId: string | undefined;
}

/** Starts the span of a call, with the attributes defined by OpenTelemetry's conventions for RPC and HTTP. */
export function startCallSpan(tracer: Tracer, exchange: Exchange, rpc: Rpc, protocol: string): ServerSpan {
  const { id, method, headers } = exchange;
  const span = tracer.startServer(rpc.name, { headers, trusts: "of-callers" });
  if (!span.isRecorded) return span;
  span.set({
    ...toRpcSystem(protocol),
    "rpc.method": rpc.name,
    "rpc.service": rpc.desc.parent.typeName,
    "signet.protocol": protocol,
    "signet.request_id": id,
  });
  if (protocol === "rest") {
    span.set({ "http.request.method": method, "http.route": String(getOption(rpc.desc, http).pattern.value) });
  }
  return span;
}

/**
 * Ends the span of a call. It counts as failed if the service caused the error, as the conventions define for servers.
 */
export function endCallSpan(span: ServerSpan, protocol: string, { code, reason, orgId }: CallEnd): void {
  if (!span.isRecorded) return;
  const name = code === "canceled" ? "CANCELLED" : code.toUpperCase();
  span.set({
    "rpc.status_code": name,
    "rpc.grpc.status_code": toNumber(code),
    "http.response.status_code": protocol === "rest" ? toHttpStatus(code, reason) : undefined,
    "signet.org_id": orgId,
    "signet.reason": reason,
  });
  span.end(FAULTS.has(code) ? name : undefined);
}

/** The names in the stable conventions, and the older `rpc.system`, which dashboards use. */
function toRpcSystem(protocol: string): SpanAttributes {
  switch (protocol) {
    case "rest":
      return {};
    case "connect":
      return { "rpc.system.name": "connectrpc", "rpc.system": "connect_rpc" };
    default:
      return { "rpc.system.name": "grpc", "rpc.system": "grpc" };
  }
}

function toNumber(code: string): number {
  if (code === "ok") return 0;
  return isErrorCode(code) ? CODES[code].rpc : CANCELLED;
}

/** Undefined if the client disconnected before the response. */
function toHttpStatus(code: string, reason: string | undefined): number | undefined {
  if (code === "ok") return 200;
  return isErrorCode(code) ? httpStatusOf(code, reason as Reason) : undefined;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(CODES, code);
}

const CANCELLED = 1;

/** Codes that count as server failures (semantic conventions for gRPC). */
const FAULTS: ReadonlySet<string> = new Set(["deadline_exceeded", "internal", "unavailable", "unimplemented"]);
