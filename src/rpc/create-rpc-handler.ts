import { getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../../gen/google/api/annotations_pb.js";
import { SignetError } from "../errors.ts";
import { createCors } from "../http/cors.ts";
import type { Exchange, Handler, RawHeaders } from "../http/exchange.ts";
import { sendError, sendWrongMethod } from "../http/router.ts";
import { UNKNOWN } from "../telemetry/metrics.ts";
import { createConnectHandlers } from "./connect/handlers.ts";
import { createConnectProtocol } from "./connect/protocol.ts";
import { isConnect, sendConnectError, sendUnsupported } from "./connect/send-unsupported.ts";
import { grpcProtocolOf, readGrpcHeaders } from "./grpc/headers.ts";
import { createGrpcProtocol, createGrpcWebProtocol, toGrpcTrailers } from "./grpc/protocol.ts";
import { createTextProtocol, isWebText } from "./grpc/web-text.ts";
import type { Rpc } from "./implement.ts";
import { createRestRoutes, type FoundRoute } from "./rest/http-rule.ts";
import { createRestProtocol, isPlainJson } from "./rest/protocol.ts";
import { type CallContext, runCall } from "./run-call.ts";
import type { StreamServices } from "./streams/create-stream-services.ts";
import { type ProtocolName, readTimeoutMs } from "./timeout.ts";

interface RpcHandlerOptions extends CallContext {
  readonly rpcs: readonly Rpc[];
  readonly corsOrigins: readonly string[];
  /** Serves the calls that do not require a token. */
  readonly streamServices?: StreamServices;
}

/**
 * Serves RPCs over every protocol: gRPC, gRPC-Web and Connect at the path of the method, REST at the routes of the
 * contract. This room reads and writes REST and plain unary gRPC and gRPC-Web. Connect handles its own protocol, and
 * calls that are not plain, such as compressed ones. All of them pass through one pipeline, `runCall`.
 */
export function createRpcHandler(options: RpcHandlerOptions): Handler {
  const { rpcs, maxBodyBytes } = options;
  const routes = createRestRoutes(rpcs.map(({ desc }) => desc));
  const cors = createCors(options.corsOrigins, httpMethodsOf(rpcs));
  const connectHandlers = createConnectHandlers(rpcs);
  const byDesc = new Map<object, Rpc>(rpcs.map((rpc) => [rpc.desc, rpc]));
  const byPath = new Map(
    rpcs.flatMap((rpc) => {
      const protocols = { grpc: createGrpcProtocol(rpc), "grpc-web": createGrpcWebProtocol(rpc) };
      return pathsOf(rpc).map((path) => [path, { rpc, protocols }] as const);
    }),
  );

  return (exchange) => {
    const { method, path, headers: received } = exchange;
    if (method === "OPTIONS" && cors.isOn) return cors.sendPreflight(exchange);
    const headers = ["x-request-id", exchange.id, ...cors.headersFor(exchange)];
    const found = byPath.get(path);
    if (found === undefined) {
      if (options.streamServices?.serve(exchange, headers)) return;
      const unknown = grpcProtocolOf(received) ?? (RPC_PATH.test(path) && isConnect(exchange) ? "connect" : undefined);
      if (unknown === undefined) return serveRest(exchange, headers);
      options.metrics?.callEnded(UNKNOWN, unknown, "unimplemented", 0);
      return sendUnknownMethod(exchange, headers, unknown);
    }
    const { rpc, protocols } = found;
    const plain = method === "POST" ? readGrpcHeaders(received) : undefined;
    if (plain !== undefined && (plain.protocol === "grpc-web" || exchange.hasTrailers)) {
      return runCall(
        { exchange, rpc, protocol: protocols[plain.protocol], headers, timeoutMs: plain.timeoutMs },
        options,
      );
    }
    const handler = connectHandlers.get(`/${rpc.name}`);
    if (handler === undefined) throw new Error(`Connect has no handler for ${rpc.name}`);
    if (sendUnsupported(exchange, headers, handler)) return;
    const name = grpcProtocolOf(received) ?? "connect";
    const binary = createConnectProtocol(handler, name, maxBodyBytes);
    const protocol = isWebText(received) ? createTextProtocol(binary, maxBodyBytes) : binary;
    runCall({ exchange, rpc, protocol, headers, timeoutMs: readTimeoutMs(name, received) }, options);
  };

  function serveRest(exchange: Exchange, headers: RawHeaders): void {
    const match = routes.match(exchange.method, exchange.path);
    switch (match.kind) {
      case "not-found":
        options.metrics?.callEnded(UNKNOWN, "rest", "not_found", 0);
        sendError(exchange, headers, new SignetError("PATH_NOT_FOUND", "nothing is at this path"));
        break;
      case "wrong-method":
        options.metrics?.callEnded(UNKNOWN, "rest", "unimplemented", 0);
        sendWrongMethod(exchange, headers, match.allow);
        break;
      case "found":
        serveRoute(exchange, headers, match);
        break;
      default:
        match satisfies never;
    }
  }

  function serveRoute(exchange: Exchange, headers: RawHeaders, route: FoundRoute): void {
    const rpc = byDesc.get(route.method);
    if (rpc === undefined) throw new Error(`no handler for ${route.method}`);
    if (isPlainJson(exchange.method, exchange.headers)) {
      const protocol = createRestProtocol(route, exchange.query);
      runCall({ exchange, rpc, protocol, headers, timeoutMs: undefined }, options);
    } else {
      const message = "the content type must be application/json, without content encoding";
      sendError(exchange, headers, new SignetError("CONTENT_TYPE_UNSUPPORTED", message));
    }
  }
}

/**
 * The services of the published API. Its clients call the methods at these paths, with messages that are the same on the
 * wire (`test/rpc/published-messages.test.ts`).
 */
const PUBLISHED: Readonly<Record<string, string>> = {
  "signet.v1.AdminService": "zitadel.admin.v1.AdminService",
  "signet.v1.AuthService": "zitadel.auth.v1.AuthService",
  "signet.v1.ManagementService": "zitadel.management.v1.ManagementService",
};

/** The paths of a method over gRPC, gRPC-Web and Connect. */
function pathsOf({ desc }: Rpc): string[] {
  const service = desc.parent.typeName;
  return [service, PUBLISHED[service]].flatMap((name) => (name === undefined ? [] : [`/${name}/${desc.name}`]));
}

/** The HTTP methods of all routes; RPCs are called by POST. */
function httpMethodsOf(rpcs: readonly Rpc[]): string[] {
  const rules = rpcs.filter(({ desc }) => hasOption(desc, http)).map(({ desc }) => getOption(desc, http));
  return [...new Set(["GET", "POST", ...rules.map(({ pattern }) => (pattern.case ?? "").toUpperCase())])];
}

/** The path of a method in a package. */
const RPC_PATH = /^\/\w+(\.\w+)+\/[^/]*$/;

/**
 * gRPC has one response for an unknown method: the status UNIMPLEMENTED, in the headers only ("Trailers-Only"). Connect
 * reads UNIMPLEMENTED from status 404.
 */
function sendUnknownMethod(exchange: Exchange, headers: RawHeaders, protocol: ProtocolName): void {
  const error = new SignetError("METHOD_UNKNOWN", `unknown method ${exchange.path.slice(0, 200)}`);
  if (protocol === "connect") {
    sendConnectError(exchange, headers, error);
  } else {
    const contentType = ["content-type", exchange.headers["content-type"] ?? ""];
    exchange.send(200, [...headers, ...contentType], undefined, toGrpcTrailers(error));
  }
}
