import { randomBytes } from "node:crypto";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { SignetError } from "../errors.ts";
import { createCors } from "../http/cors.ts";
import { type Exchange, eachHeader, fromHttp1, fromStream, type RawHeaders } from "../http/exchange.ts";
import type { Listener, NodeExchange } from "../http/port.ts";
import { logFailure } from "../log-failure.ts";
import type { ServePage } from "../web/frame/page.ts";
import { createServePage } from "../web/serve-page.ts";
import type { CallRecord, Form } from "./call-record.ts";
import { serveConnect } from "./connect/serve-connect.ts";
import { createGrpcWebWire, createGrpcWire, grpcFormOf, readGrpcHeaders } from "./grpc/wire-grpc.ts";
import { createRestRoutes } from "./rest/http-rule.ts";
import { createRestWire, isPlainJson, sendRestError } from "./rest/wire-rest.ts";
import type { RpcMethod } from "./rpc-methods.ts";
import { type ServeContext, serveUnary, type Wire } from "./serve-unary.ts";

export interface ListenerOptions extends ServeContext {
  readonly rpcs: readonly RpcMethod[];
  /** Connect's handlers, by request path. */
  readonly connectHandlers: ReadonlyMap<string, UniversalHandler>;
  /** Resolves while the service can serve, and rejects while it cannot. */
  readonly checkReady: () => Promise<void>;
  readonly corsOrigins: readonly string[];
  readonly servePage: ServePage;
  readonly trustedProxies: readonly string[];
}

/** What a request is for. */
type Target =
  | {
      readonly kind: "unary";
      readonly rpc: RpcMethod;
      readonly wire: Wire;
      readonly form: Form;
      readonly timeoutMs: number | undefined;
    }
  | { readonly kind: "connect"; readonly handler: UniversalHandler; readonly form: Form }
  | { readonly kind: "preflight" }
  | { readonly kind: "health"; readonly path: string }
  | { readonly kind: "page" }
  | { readonly kind: "unknown-grpc-method" }
  | { readonly kind: "error"; readonly error: SignetError; readonly headers?: RawHeaders };

/**
 * Answers every request of the port. Plain unary calls of gRPC, gRPC-Web and REST are served straight from the HTTP
 * request; the Connect protocol, and what is not plain (compressed, say), is left to Connect.
 */
export function createListener(options: ListenerOptions): Listener {
  const { rpcs, connectHandlers, checkReady, log } = options;
  const cors = createCors(options.corsOrigins);
  const servePage = createServePage(options);
  const routes = createRestRoutes(rpcs.map(({ desc }) => desc));
  const rpcByDesc = new Map(rpcs.map((rpc) => [rpc.desc, rpc]));
  const rpcByPath = new Map(
    rpcs.map((rpc) => [
      `/${rpc.name}`,
      { rpc, wires: { grpc: createGrpcWire(rpc), "grpc-web": createGrpcWebWire(rpc) } },
    ]),
  );

  return {
    onStream: (stream, headers) => serve(fromStream(stream, headers)),
    onRequest: (request, response) => {
      serve(fromHttp1(request, response), { request, response });
    },
  };

  /** @returns Whether the request is served. One that Connect or the CORS protocol takes needs Node's own objects. */
  function serve(exchange: Exchange, node?: NodeExchange): boolean {
    const requestId = createRequestId();
    const target = findTarget(exchange);
    if ((target.kind === "connect" || target.kind === "preflight") && node === undefined) return false;
    const headers = ["x-request-id", requestId, ...cors.headersFor(exchange.headers)];
    const record = (form: Form, method: string): CallRecord => ({
      requestId,
      form,
      method,
      startedAt: performance.now(),
    });
    switch (target.kind) {
      case "unary": {
        const { rpc, form } = target;
        serveUnary({ ...target, exchange, headers, record: record(form, rpc.name) }, options);
        return true;
      }
      case "connect": {
        if (node === undefined) return false;
        eachHeader(headers, (name, value) => node.response.setHeader(name, value));
        const { handler, form } = target;
        serveConnect(node, { handler, record: record(form, handler.requestPath.slice(1)) }, options).catch(fail);
        return true;
      }
      case "preflight":
        if (node !== undefined) cors.answerPreflight(node);
        return true;
      case "health":
        answerHealth(exchange, target.path).catch(fail);
        return true;
      case "page":
        // No script of another origin may read a page.
        servePage(exchange, requestId, ["x-request-id", requestId]).catch(fail);
        return true;
      case "unknown-grpc-method":
        answerUnknownMethod(exchange, headers);
        return true;
      case "error":
        sendRestError(exchange, [...headers, ...(target.headers ?? [])], target.error);
        return true;
      default:
        return target satisfies never;
    }

    function fail(error: unknown): void {
      logFailure(log, "error", { requestId, err: error }, "a request failed in an unforeseen way");
      sendRestError(exchange, headers, new SignetError("INTERNAL", "internal error"));
    }
  }

  function findTarget({ method, url, headers, hasTrailers }: Exchange): Target {
    const [path, query] = splitUrl(url);
    if (path.startsWith("/ui/")) return { kind: "page" };
    if (method === "OPTIONS" && cors.isOn) return { kind: "preflight" };
    const found = rpcByPath.get(path);
    if (found !== undefined) {
      const grpc = method === "POST" ? readGrpcHeaders(headers) : undefined;
      if (grpc !== undefined && (grpc.form === "grpc-web" || hasTrailers))
        return { kind: "unary", rpc: found.rpc, wire: found.wires[grpc.form], ...grpc };
      const handler = connectHandlers.get(path);
      if (handler === undefined) throw new Error(`Connect has no handler for ${path}`);
      return { kind: "connect", handler, form: grpcFormOf(headers) ?? "connect" };
    }
    if (path === "/healthz" || path === "/readyz") {
      return method === "GET" || method === "HEAD" ? { kind: "health", path } : wrongMethod(["GET", "HEAD"]);
    }
    return grpcFormOf(headers)
      ? { kind: "unknown-grpc-method" }
      : findRestTarget(method, path, query, isPlainJson(headers));
  }

  function findRestTarget(method: string, path: string, query: string, isJson: boolean): Target {
    const match = routes.match(method, path);
    switch (match.kind) {
      case "not-found":
        return { kind: "error", error: new SignetError("PATH_NOT_FOUND", "nothing is at this path") };
      case "wrong-method":
        return wrongMethod(match.allow);
      case "found": {
        const rpc = rpcByDesc.get(match.method as RpcMethod["desc"]);
        if (rpc === undefined) throw new Error(`no handler for ${match.method}`);
        if (isJson)
          return { kind: "unary", rpc, wire: createRestWire(match, query), form: "rest", timeoutMs: undefined };
        const message = "the content type must be application/json, without content encoding";
        return { kind: "error", error: new SignetError("CONTENT_TYPE_UNSUPPORTED", message) };
      }
      default:
        return match satisfies never;
    }
  }

  async function answerHealth(exchange: Exchange, path: string): Promise<void> {
    const isUp =
      path === "/healthz" ||
      (await checkReady().then(
        () => true,
        () => false,
      ));
    const text = Buffer.from(isUp ? "ok\n" : "unavailable\n");
    const headers = ["content-type", "text/plain; charset=utf-8", "cache-control", "no-store"];
    exchange.send(isUp ? 200 : 503, headers, text);
  }
}

const processId = randomBytes(8).toString("base64url");
let requests = 0;

/** An id for the log and the caller, of which no other process makes the same. */
function createRequestId(): string {
  requests += 1;
  return `${processId}-${requests.toString(36)}`;
}

function wrongMethod(allowed: readonly string[]): Target {
  const allow = allowed.join(", ");
  return {
    kind: "error",
    error: new SignetError("METHOD_NOT_ALLOWED", `this path allows ${allow}`),
    headers: ["allow", allow],
  };
}

/** gRPC has one answer for a path of no method: the status UNIMPLEMENTED, in headers alone ("Trailers-Only"). */
function answerUnknownMethod(exchange: Exchange, headers: RawHeaders): void {
  const contentType = ["content-type", exchange.headers["content-type"] ?? ""];
  const message = encodeURI(`unknown method ${exchange.url}`);
  exchange.send(200, [...headers, ...contentType], undefined, { "grpc-status": "12", "grpc-message": message });
}

function splitUrl(url: string): [string, string] {
  const at = url.indexOf("?");
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}
