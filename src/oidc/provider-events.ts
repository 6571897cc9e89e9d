import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { Logger } from "pino";
import { hasErrorCode } from "../files.ts";
import type { Exchange } from "../http/exchange.ts";
import { logFailure } from "../log-failure.ts";
import type { Starts } from "./starts.ts";

interface EventParts {
  readonly log: Logger;
  readonly starts: Starts;
  readonly exchangeOf: (ctx: KoaContextWithOIDC) => Exchange | undefined;
}

/** Logs a provider's failures, and counts client successes and guesses based on its events. */
export function followEvents(provider: Provider, parts: EventParts): void {
  logFailures(provider, parts);
  countStarts(provider, parts);
  judgeClients(provider, parts);
}

function logFailures(provider: Provider, { log, exchangeOf }: EventParts): void {
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
  onRejected(provider, (ctx, error) => {
    if (error.message !== "temporarily_unavailable") return;
    const requestId = exchangeOf(ctx)?.id;
    const failure = { ...(requestId && { requestId }), err: error.cause };
    logFailure(log, "warn", failure, "the OpenID provider was unavailable");
  });
}

function countStarts(provider: Provider, { starts, exchangeOf }: EventParts): void {
  for (const event of ["interaction.started", "device_authorization.success", "form.started"] as const) {
    provider.on(event as "interaction.started", (ctx) => {
      const exchange = exchangeOf(ctx);
      if (exchange !== undefined) starts.count(exchange, ctx.oidc.params ?? {});
    });
  }
  provider.on("interaction.ended", (ctx) => starts.settle(exchangeOf(ctx)?.address ?? ""));
}

/** Trusts clients that succeed, and counts guesses. */
function judgeClients(provider: Provider, { exchangeOf }: EventParts): void {
  const trust = (ctx: KoaContextWithOIDC) => exchangeOf(ctx)?.trust();
  provider.on("grant.success", trust);
  provider.on("authorization.success", trust);
  onRejected(provider, (ctx, { message }) => {
    if (GUESSES.has(message)) exchangeOf(ctx)?.countFailure();
  });
}

function onRejected(provider: Provider, listener: (ctx: KoaContextWithOIDC, error: Error) => void): void {
  for (const event of ERROR_EVENTS) provider.on(event as "grant.error", listener);
}

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

/** Errors of a connection or stream that the client has closed. Koa reports them like provider failures. */
const CLOSED_BY_CLIENT = ["ECONNRESET", "EPIPE", "ERR_HTTP2_STREAM_ERROR"] as const;

/** Errors of a client that may be guessing a secret: a code, a token, the secret of an application. */
const GUESSES: ReadonlySet<string> = new Set([
  "invalid_client",
  "invalid_grant",
  "invalid_token",
  "the code was not found",
]);
