import type { IncomingMessage, ServerResponse } from "node:http";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { Logger } from "pino";
import { elapsedMs } from "../clock.ts";
import { SignetError } from "../errors.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import { sendError } from "../http/router.ts";
import { logFailure } from "../log-failure.ts";
import { endHttpSpan, startHttpSpan } from "../telemetry/http-span.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/span.ts";
import { runInSpan } from "../telemetry/span-scope.ts";
import { traceIdOf } from "../telemetry/trace-context.ts";
import { followEvents } from "./provider-events.ts";
import { redirectPost } from "./redirect-post.ts";
import { PATHS, ROUTES } from "./routes.ts";
import { createStarts } from "./starts.ts";

interface ProviderHandlerOptions {
  readonly currentProvider: () => Promise<Provider>;
  readonly publicUrl: string;
  readonly requestTimeoutMs: number;
  readonly log: Logger;
  readonly tracer?: Tracer | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Passes requests to the OpenID provider. */
export function createProviderHandler(options: ProviderHandlerOptions): Handler {
  const { currentProvider, publicUrl, requestTimeoutMs, log, tracer, metrics } = options;
  const { protocol, host } = new URL(publicUrl);
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const exchangeOf = (ctx: KoaContextWithOIDC) => exchanges.get(ctx.req);
  const followed = new WeakSet<Provider>();
  const starts = createStarts(metrics);

  return (exchange) => {
    const isPost = exchange.method === "POST" && exchange.path === ROUTES.authorization;
    const refusal = exchange.refuseStranger() ?? (isPost ? undefined : starts.refuse(exchange));
    if (refusal !== undefined) sendError(exchange, ["x-request-id", exchange.id], refusal);
    else if (isPost) void redirectPost(exchange);
    else void serve(exchange);
  };

  async function serve(exchange: Exchange): Promise<void> {
    const startedAt = performance.now();
    const { id: requestId, method } = exchange;
    let status = 0;
    const span = tracer && startHttpSpan(tracer, exchange);
    exchange.onClose(() => {
      const outcome = status === 0 ? { canceled: true } : { status };
      const path = toLoggedPath(exchange.path);
      const ms = elapsedMs(startedAt);
      const traceId = traceIdOf(span, exchange.headers);
      log.info({ requestId, method, path, ...outcome, ms, trace_id: traceId }, "oidc");
      if (span !== undefined) endHttpSpan(span, { method, route: path, status: status || undefined });
      metrics?.pageEnded(path, status === 0 ? undefined : status, ms);
    });
    try {
      const provider = await currentProvider();
      if (!followed.has(provider)) followEvents(provider, { log, starts, exchangeOf });
      followed.add(provider);
      const { request, response } = exchange.toNode();
      exchanges.set(request, exchange);
      rewriteHead(exchange, request);
      response.setHeader("x-request-id", requestId);
      limitTime(response);
      response.once("finish", () => {
        status = response.statusCode;
      });
      await runInSpan(span, () => provider.callback()(request, response));
    } catch (cause) {
      logFailure(log, "error", { requestId, err: cause }, "the OpenID provider could not be used");
      status = 503;
      sendError(exchange, ["x-request-id", requestId], new SignetError("UNAVAILABLE", "the service is not available"));
    }
  }

  /**
   * The provider derives its own URLs from the request, so this makes them match PUBLIC_URL, whatever the client sends.
   */
  function rewriteHead({ path, query }: Exchange, request: IncomingMessage): void {
    const { headers } = request;
    headers["x-forwarded-proto"] = protocol.slice(0, -1);
    headers["x-forwarded-host"] = host;
    request.url = query === "" ? path : `${path}?${query}`;
    // A body over HTTP/2 needs no length. The provider reads one only if a header says that there is a body.
    if (request.method === "POST" && headers["content-length"] === undefined) headers["transfer-encoding"] = "chunked";
  }

  function limitTime(response: ServerResponse): void {
    const timer = setTimeout(() => {
      if (!response.headersSent) response.writeHead(503, { "retry-after": "10" });
      response.end();
    }, requestTimeoutMs);
    response.once("close", () => clearTimeout(timer));
  }
}

/** The id of an interaction is a secret of its browser. */
function toLoggedPath(path: string): string {
  const prefix = PATHS.find((known) => known.endsWith("/") && path.startsWith(known));
  return prefix === undefined ? path : `${prefix}:id`;
}
