import type { IncomingMessage, ServerResponse } from "node:http";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { Logger } from "pino";
import { SignetError } from "../errors.ts";
import { hasErrorCode } from "../files.ts";
import { tooManyRequests } from "../http/base-exchange.ts";
import type { Exchange, Handler } from "../http/exchange.ts";
import { sendError } from "../http/router.ts";
import { logFailure } from "../log-failure.ts";
import { endHttpSpan, startHttpSpan } from "../telemetry/http-span.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/span.ts";
import { runInSpan } from "../telemetry/span-scope.ts";
import { readTraceContext } from "../telemetry/trace-context.ts";
import { redirectPost } from "./redirect-post.ts";
import { PATHS, ROUTES } from "./routes.ts";
import { createStartLimit } from "./start-limit.ts";

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
  const prepared = new WeakSet<Provider>();
  const limit = createStartLimit();
  const started = new WeakSet<Exchange>();
  const released = new WeakSet<Exchange>();

  return (exchange) => {
    const isPost = exchange.method === "POST" && exchange.path === ROUTES.authorization;
    const refusal = exchange.refuseStranger() ?? (isPost ? undefined : refuseStart(exchange));
    if (refusal !== undefined) sendError(exchange, ["x-request-id", exchange.id], refusal);
    else if (isPost) void redirectPost(exchange);
    else void serve(exchange);
  };

  function refuseStart(exchange: Exchange): SignetError | undefined {
    const { path, address } = exchange;
    if (!STARTING_PATHS.has(path)) return undefined;
    const retryAfterMs = limit.reserve(address);
    if (retryAfterMs > 0) {
      metrics?.budgetExceeded("sign_in_starts");
      return tooManyRequests(retryAfterMs);
    }
    exchange.onClose(() => {
      if (started.has(exchange)) return;
      released.add(exchange);
      limit.release(address);
    });
    return undefined;
  }

  /** The request has stored a row, whose size is that of the parameters. */
  function countStart(ctx: KoaContextWithOIDC): void {
    const exchange = exchanges.get(ctx.req);
    if (exchange === undefined) return;
    started.add(exchange);
    limit.count(exchange.address, JSON.stringify(ctx.oidc.params ?? {}).length, released.has(exchange));
  }

  async function serve(exchange: Exchange): Promise<void> {
    const startedAt = performance.now();
    const { id: requestId, method } = exchange;
    let status = 0;
    const span = tracer && startHttpSpan(tracer, exchange);
    exchange.onClose(() => {
      const outcome = status === 0 ? { canceled: true } : { status };
      const path = toLoggedPath(exchange.path);
      const ms = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
      const traceId = span?.traceId ?? readTraceContext(exchange.headers)?.traceId;
      log.info({ requestId, method, path, ...outcome, ms, trace_id: traceId }, "oidc");
      if (span !== undefined) endHttpSpan(span, { method, route: path, status: status || undefined });
      metrics?.pageEnded(path, status === 0 ? undefined : status, ms);
    });
    try {
      const provider = await currentProvider();
      prepare(provider);
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

  /** The provider builds its own addresses from the request: they are those of PUBLIC_URL, whatever the client sends. */
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

  function prepare(provider: Provider): void {
    if (prepared.has(provider)) return;
    prepared.add(provider);
    const exchangeOf = (ctx: KoaContextWithOIDC) => exchanges.get(ctx.req);
    provider.on("server_error", (ctx, error) => {
      const requestId = exchangeOf(ctx)?.id;
      logFailure(log, "error", { ...(requestId && { requestId }), err: error }, "the OpenID provider failed");
    });
    provider.on("error" as "server_error", (error: unknown) => {
      if (CLOSED_BY_CLIENT.some((code) => hasErrorCode(error, code))) return;
      logFailure(log, "error", { err: error }, "the OpenID provider failed");
    });
    provider.on("backchannel.error", (_ctx, error, client) => {
      const failure = { err: new Error(`application ${client.clientId}`, { cause: error }) };
      logFailure(log, "warn", failure, "an application could not be notified of a sign-out");
    });
    for (const event of ERROR_EVENTS) {
      provider.on(event as "grant.error", (ctx, error) => {
        const exchange = exchangeOf(ctx);
        if (GUESSES.has(error.message)) exchange?.countFailure();
        if (error.message !== "temporarily_unavailable") return;
        const failure = { ...(exchange && { requestId: exchange.id }), err: error.cause };
        logFailure(log, "warn", failure, "the OpenID provider was unavailable");
      });
    }
    for (const event of ["interaction.started", "device_authorization.success", "form.started"] as const) {
      provider.on(event as "interaction.started", countStart);
    }
    provider.on("interaction.ended", (ctx) => limit.settle(exchangeOf(ctx)?.address ?? ""));
    const trust = (ctx: KoaContextWithOIDC) => exchangeOf(ctx)?.trust();
    provider.on("grant.success", trust);
    provider.on("authorization.success", trust);
  }
}

/** The paths on which an unauthenticated client can make the provider store a row. */
const STARTING_PATHS: ReadonlySet<string> = new Set([
  ROUTES.authorization,
  ROUTES.device_authorization,
  ROUTES.code_verification,
  ROUTES.end_session,
]);

/** Events of rejected requests. */
const ERROR_EVENTS = [
  "authorization.error",
  "grant.error",
  "userinfo.error",
  "introspection.error",
  "revocation.error",
  "device_authorization.error",
  "code_verification.error",
  "device_resume.error",
  "end_session.error",
  "end_session_confirm.error",
] as const;

/** Errors of a connection or stream that its client has closed. Koa reports them like failures of the provider. */
const CLOSED_BY_CLIENT = ["ECONNRESET", "EPIPE", "ERR_HTTP2_STREAM_ERROR"] as const;

/** Errors of a client that may be guessing a secret: a code, a token, the secret of an application. */
const GUESSES: ReadonlySet<string> = new Set([
  "invalid_client",
  "invalid_grant",
  "invalid_token",
  "the code was not found",
]);

/** The id of an interaction is a secret of its browser. */
function toLoggedPath(path: string): string {
  const prefix = PATHS.find((known) => known.endsWith("/") && path.startsWith(known));
  return prefix === undefined ? path : `${prefix}:id`;
}
