import type { IncomingMessage, ServerResponse } from "node:http";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { Logger } from "pino";
import type { RecentCredentials } from "../access/recent-credentials.ts";
import { type Clock, elapsedMs } from "../clock.ts";
import type { RunTogether } from "../database/run-together.ts";
import { SignetError } from "../errors.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import { type Watch, watchExchange } from "../http/watch-exchange.ts";
import { logFailure } from "../log-failure.ts";
import { endHttpSpan, startHttpSpan } from "../telemetry/http-span.ts";
import { type Metrics, UNKNOWN } from "../telemetry/metrics.ts";
import type { ServerSpan, Tracer } from "../telemetry/span.ts";
import { runInSpan } from "../telemetry/span-scope.ts";
import { traceIdOf } from "../telemetry/trace-context.ts";
import { createDirectResponses } from "./direct-responses.ts";
import { followEvents } from "./provider-events.ts";
import { isRedirected, readRequest, redirectPost, toNode } from "./read-request.ts";
import { API_PATHS, findRoute, ROUTES } from "./routes.ts";
import { sendRefusal } from "./send-refusal.ts";
import { createStarts, createUserCodeAttempts } from "./start-limit.ts";

interface ProviderHandlerOptions {
  readonly runTogether: RunTogether;
  readonly clock: Clock;
  readonly currentProvider: () => Promise<Provider>;
  readonly recentCredentials: RecentCredentials;
  readonly publicUrl: string;
  readonly clientHosts: readonly string[];
  readonly requestTimeoutMs: number;
  readonly log: Logger;
  readonly tracer?: Tracer | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Passes requests to the OpenID provider. */
export function createProviderHandler(options: ProviderHandlerOptions): Handler {
  const { currentProvider, recentCredentials, publicUrl, requestTimeoutMs, log, tracer, metrics } = options;
  const ownUrl = new URL(publicUrl);
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const exchangeOf = (ctx: KoaContextWithOIDC) => exchanges.get(ctx.req);
  const followed = new WeakSet<Provider>();
  const starts = createStarts(metrics);
  const userCodeAttempts = createUserCodeAttempts(metrics);
  const respondDirectly = createDirectResponses({ ...options, issuer: publicUrl });

  return (exchange) => {
    const refusal =
      exchange.refuseStranger(API_PATHS.has(exchange.path)) ??
      (isRedirected(exchange) ? undefined : starts.refuse(exchange)) ??
      userCodeAttempts.refuse(exchange);
    if (refusal !== undefined) sendRefusal(exchange, refusal);
    else if (exchange.path === `${ROUTES.code_verification}/`) redirectTypedPath(exchange);
    else void serve(exchange);
  };

  async function serve(exchange: Exchange): Promise<void> {
    const startedAt = performance.now();
    const { id: requestId, method } = exchange;
    const route = findRoute(exchange.path);
    let status = 0;
    const span = tracer && startHttpSpan(tracer, exchange);
    const watch = watchExchange(exchange, requestTimeoutMs);
    exchange.onClose(() => {
      const outcome = status === 0 ? { canceled: true } : { status };
      const path = route?.template;
      const ms = elapsedMs(startedAt);
      const traceId = traceIdOf(span, exchange.headers);
      log.info({ requestId, method, path, ...outcome, ms, trace_id: traceId }, "oidc");
      if (span !== undefined) endHttpSpan(span, { method, route: path, status: status || undefined });
      metrics?.pageEnded(path ?? UNKNOWN, status === 0 ? undefined : status, ms);
    });
    try {
      const body = await readRequest(exchange, route, watch.signal);
      if (body instanceof SignetError) status = sendRefusal(exchange, body, route);
      else if (isRedirected(exchange)) status = redirectPost(exchange, body);
      else {
        const direct = await respondDirectly(exchange, body);
        const onSent = (sent: number) => {
          status = sent;
        };
        if (direct === undefined) await passOn(exchange, body, watch, span, onSent);
        else onSent(direct);
      }
    } catch (cause) {
      const level = cause instanceof SignetError && cause.code === "unavailable" ? "warn" : "error";
      logFailure(log, level, { requestId, err: cause }, "the OpenID provider could not be used");
      status = sendRefusal(exchange, new SignetError("UNAVAILABLE", "the service is not available"));
    }
  }

  /** Lets the provider respond. */
  async function passOn(
    exchange: Exchange,
    body: Buffer,
    watch: Watch,
    span: ServerSpan | undefined,
    onSent: (status: number) => void,
  ): Promise<void> {
    const provider = await currentProvider();
    // The signal may have been aborted meanwhile, which `limitTime` would not notice.
    if (!watch.hasGone()) watch.signal.throwIfAborted();
    if (!followed.has(provider)) {
      followEvents(provider, { log, starts, userCodeAttempts, recentCredentials, exchangeOf });
    }
    followed.add(provider);
    const { request, response } = toNode(exchange, body);
    exchanges.set(request, exchange);
    rewriteHead(exchange, request, ownUrl);
    response.setHeader("x-request-id", exchange.id);
    limitTime(response, watch);
    response.once("finish", () => onSent(response.statusCode));
    await runInSpan(span, () => provider.callback()(request, response));
  }
}

/**
 * The provider derives its own URLs from the request, so this makes them match PUBLIC_URL, whatever the client sends.
 */
function rewriteHead({ path, query }: Exchange, request: IncomingMessage, ownUrl: URL): void {
  const { headers } = request;
  headers["x-forwarded-proto"] = ownUrl.protocol.slice(0, -1);
  headers["x-forwarded-host"] = ownUrl.host;
  request.url = query === "" ? path : `${path}?${query}`;
  // A body over HTTP/2 needs no length. The provider reads one only if a header says that there is a body.
  if (request.method === "POST" && headers["content-length"] === undefined) headers["transfer-encoding"] = "chunked";
}

/** Some users type a slash at the end. */
function redirectTypedPath(exchange: Exchange): void {
  const { id, query } = exchange;
  const location = query === "" ? ROUTES.code_verification : `${ROUTES.code_verification}?${query}`;
  exchange.send(308, ["x-request-id", id, "location", location]);
}

/** The signal is also aborted when the client disconnects. */
function limitTime(response: ServerResponse, { signal, hasGone }: Watch): void {
  const end = () => {
    if (hasGone()) return;
    if (!response.headersSent) response.writeHead(503, { "retry-after": "10" });
    response.end();
  };
  signal.addEventListener("abort", end, { once: true });
}
