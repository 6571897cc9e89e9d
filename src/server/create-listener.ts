import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import type { Logger } from "pino";
import { SignetError } from "../errors.ts";
import type { CallRecord, Form } from "./call-record.ts";
import { readTimeoutMs } from "./call-timeout.ts";
import { createCors } from "./cors.ts";
import { closeWhenAnswered, onCallerGone, type Request, type Response, type ServedRequest } from "./http-exchange.ts";
import { createRestRoutes } from "./http-rule.ts";
import type { Listener } from "./port.ts";
import { sendRestError, serveRest } from "./serve-rest.ts";
import { formOf, serveRpc } from "./serve-rpc.ts";
import { deadlineExceeded } from "./wire-errors.ts";

export interface ListenerOptions {
  /** By request path. */
  readonly handlers: ReadonlyMap<string, UniversalHandler>;
  /** Resolves while the service can serve, and rejects while it cannot. */
  readonly checkReady: () => Promise<void>;
  readonly corsOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly requestTimeoutMs: number;
  readonly log: Logger;
}

/** The function that answers every request of the port: health, CORS, RPC paths, REST paths, and all others. */
export function createListener(options: ListenerOptions): Listener {
  const { handlers, checkReady, requestTimeoutMs, log } = options;
  const routes = createRestRoutes([...handlers.values()].map(({ method }) => method));
  const handlersByMethod = new Map([...handlers.values()].map((handler) => [handler.method, handler]));
  const cors = createCors(options.corsOrigins);

  return ((request: Request, response: Response) => {
    // A connection that breaks is told by `close`; without a listener the error would end the process.
    response.on("error", () => {});
    const requestId = randomUUID();
    response.setHeader("x-request-id", requestId);
    cors(request, response, () => {
      route(request, response, requestId).catch((error: unknown) => {
        log.error({ requestId, err: error }, "a request failed in an unforeseen way");
        sendRestError(response, new SignetError("INTERNAL", "internal error"));
      });
    });
  }) as Listener;

  async function route(request: Request, response: Response, requestId: string): Promise<void> {
    const [path = "", query = ""] = splitOnce(request.url ?? "", "?");
    if (path === "/healthz" || path === "/readyz") return serveHealth(request, response, path);

    const handler = handlers.get(path);
    if (handler !== undefined) {
      const form = formOf(request.headers["content-type"]);
      return serve(request, response, { requestId, form, handler }, (served) => serveRpc(served, handler, options));
    }
    if (formOf(request.headers["content-type"]) !== "connect")
      return sendUnknownMethod(response, request.headers, path);

    const match = routes.match(request.method ?? "", path);
    switch (match.kind) {
      case "not-found":
        return sendRestError(response, new SignetError("PATH_NOT_FOUND", "nothing is at this path"));
      case "wrong-method": {
        const allow = match.allow.join(", ");
        const error = new SignetError("METHOD_NOT_ALLOWED", `this path allows ${allow}`);
        return sendRestError(response, error, { allow });
      }
      case "found": {
        const found = handlersByMethod.get(match.method);
        if (found === undefined) throw new Error(`no handler for ${match.method}`);
        if (!isPlainJson(request.headers)) {
          const message = "the content type must be application/json, without content encoding";
          return sendRestError(response, new SignetError("CONTENT_TYPE_UNSUPPORTED", message));
        }
        const target = { route: match, query: new URLSearchParams(query), handler: found };
        const about = { requestId, form: "rest", handler: found } as const;
        return serve(request, response, about, (served) => serveRest(served, target, options));
      }
      default:
        return match satisfies never;
    }
  }

  /** Runs a call under its deadline, and writes its line in the log. */
  async function serve(
    request: Request,
    response: Response,
    { requestId, form, handler }: { requestId: string; form: Form; handler: UniversalHandler },
    run: (served: ServedRequest) => Promise<string>,
  ): Promise<void> {
    const method = handler.requestPath.slice(1);
    const record: CallRecord = { requestId, form, method, startedAt: performance.now() };
    const end = new AbortController();
    let isGone = false;
    onCallerGone(response, (reason) => {
      isGone = true;
      end.abort(reason);
    });
    const timeoutMs = Math.min(readTimeoutMs(form, request.headers) ?? requestTimeoutMs, requestTimeoutMs);
    const timer = setTimeout(() => end.abort(deadlineExceeded()), timeoutMs);
    // The shortest timer takes a millisecond, which may be enough for the whole call.
    if (timeoutMs < 1) end.abort(deadlineExceeded());
    closeWhenAnswered(request);
    let code = "internal";
    try {
      code = await run({ request, response, record, signal: end.signal });
    } finally {
      clearTimeout(timer);
      const ms = Math.round((performance.now() - record.startedAt) * 1_000) / 1_000;
      const { failure, call } = record;
      const outcome = isGone ? { code: "canceled" } : { code, reason: failure?.reason };
      log.info({ requestId, method, form, ...outcome, ms, orgId: call?.orgId }, "call");
    }
  }

  async function serveHealth(request: Request, response: Response, path: string): Promise<void> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      const error = new SignetError("METHOD_NOT_ALLOWED", "this path allows GET, HEAD");
      return sendRestError(response, error, { allow: "GET, HEAD" });
    }
    const isUp = path === "/healthz" || (await isReady());
    const text = isUp ? "ok\n" : "unavailable\n";
    response.writeHead(isUp ? 200 : 503, {
      "content-type": "text/plain; charset=utf-8",
      "content-length": text.length,
      "cache-control": "no-store",
    });
    response.end(request.method === "HEAD" ? undefined : text);
  }

  async function isReady(): Promise<boolean> {
    try {
      await checkReady();
      return true;
    } catch {
      return false;
    }
  }
}

/** gRPC has one answer for a path of no method: the status UNIMPLEMENTED, in headers alone ("Trailers-Only"). */
function sendUnknownMethod(response: Response, headers: IncomingHttpHeaders, path: string): void {
  response.writeHead(200, {
    "content-type": headers["content-type"],
    "grpc-status": "12",
    "grpc-message": encodeURI(`unknown method ${path}`),
  });
  response.end();
}

function isPlainJson(headers: IncomingHttpHeaders): boolean {
  const isJson = /^application\/json *(;|$)/i.test(headers["content-type"] ?? "");
  return isJson && /^(identity)?$/i.test(headers["content-encoding"] ?? "");
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
