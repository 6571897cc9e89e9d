import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import type { Logger } from "pino";
import { hashCredential, type RecentCredentials } from "../access/recent-credentials.ts";
import { hasErrorCode } from "../files.ts";
import { BUDGET_EXCEEDED } from "../http/connection.ts";
import type { Exchange } from "../http/exchange.ts";
import { logFailure } from "../log-failure.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type Starts, type UserCodeAttempts, WRONG_USER_CODE } from "./start-limit.ts";

/** The event of an application's keys that could not be fetched. Its arguments are the client id and the error. */
export const KEYS_UNAVAILABLE = "client_keys.unavailable";

/** The event of a client's metadata document that could not be used. Its arguments are the client id and the error. */
export const DOCUMENT_UNAVAILABLE = "client_document.unavailable";

interface EventParts {
  readonly log: Logger;
  readonly starts: Starts;
  readonly recentCredentials: RecentCredentials;
  readonly userCodeAttempts: UserCodeAttempts;
  readonly exchangeOf: (ctx: KoaContextWithOIDC) => Exchange | undefined;
}

/** Logs a provider's failures, and counts client successes and guesses based on its events. */
export function followEvents(provider: Provider, parts: EventParts): void {
  logFailures(provider, parts);
  countStarts(provider, parts);
  countWrongUserCodes(provider, parts);
  judgeClients(provider, parts);
}

/** Counts notifications of applications about the end of a session, and logs failed requests to applications. */
export function followRequests(
  provider: Provider,
  { log, metrics }: { readonly log: Logger; readonly metrics?: Metrics | undefined },
): void {
  provider.on("backchannel.success", () => metrics?.appNotified("success"));
  provider.on("backchannel.error", (_ctx, error, client) => {
    metrics?.appNotified("failure");
    const failure = { err: new Error(`application ${client.clientId}`, { cause: error }) };
    logFailure(log, "warn", failure, "an application could not be notified of a sign-out");
  });
  provider.on(KEYS_UNAVAILABLE as "server_error", (...args: unknown[]) => {
    const [clientId, cause] = args;
    const failure = { err: new Error(`application ${clientId}`, { cause }) };
    logFailure(log, "warn", failure, "the keys of an application could not be fetched");
  });
  provider.on(DOCUMENT_UNAVAILABLE as "server_error", (...args: unknown[]) => {
    const [clientId, cause] = args;
    const failure = { err: new Error(`client ${clientId}`, { cause }) };
    logFailure(log, "warn", failure, "the metadata document of a client could not be used");
  });
}

function logFailures(provider: Provider, { log, exchangeOf }: EventParts): void {
  provider.on("server_error", (ctx, error) => {
    const requestId = exchangeOf(ctx)?.id;
    logFailure(log, "error", { ...(requestId && { requestId }), err: error }, "the OpenID provider failed");
  });
  // Koa's event, for errors that the provider does not handle.
  provider.on("error" as "server_error", (...args: unknown[]) => {
    const [error, ctx] = args;
    if (CAUSED_BY_CLIENT.some((code) => hasErrorCode(error, code))) return;
    const requestId = exchangeOf(ctx as KoaContextWithOIDC)?.id;
    logFailure(log, "error", { ...(requestId && { requestId }), err: error }, "the OpenID provider failed");
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
  // Without authentication: the server of an application pushes the requests of all its users from one address.
  const countPublic = (ctx: KoaContextWithOIDC | undefined, parameters: object) => {
    if (ctx?.oidc.route !== "pushed_authorization_request" || ctx.oidc.client?.clientAuthMethod !== "none") return;
    const exchange = exchangeOf(ctx);
    if (exchange !== undefined) starts.count(exchange, parameters);
  };
  provider.on("pushed_authorization_request.success", (ctx) => countPublic(ctx, ctx.oidc.params ?? {}));
  // A proof is stored as used before the request can fail. The class is loaded after the port is open.
  const loaded = provider.constructor as typeof Provider;
  provider.on("replay_detection.saved", () => countPublic(loaded.ctx, {}));
  provider.on("interaction.ended", (ctx) => starts.settle(exchangeOf(ctx)?.address ?? ""));
}

/** Provider middleware. A form without a session starts one that contains only the form's token. */
export async function announceForms(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const session = ctx.oidc?.session as { accountId?: string; new?: boolean; state?: object } | undefined;
  if (session?.new === true && session.accountId === undefined && session.state !== undefined) {
    ctx.oidc.provider.emit("form.started", ctx);
  }
}

function countWrongUserCodes(provider: Provider, { userCodeAttempts, exchangeOf }: EventParts): void {
  provider.on(WRONG_USER_CODE as "interaction.started", (ctx) => {
    const exchange = exchangeOf(ctx);
    if (exchange !== undefined) userCodeAttempts.countWrong(exchange);
  });
}

/** Marks callers with valid credentials as authorized, and counts failed attempts. */
function judgeClients(provider: Provider, { recentCredentials, exchangeOf }: EventParts): void {
  const trust = (ctx: KoaContextWithOIDC) => exchangeOf(ctx)?.trust();
  const credentialOf = ({ headers: { authorization } }: KoaContextWithOIDC) => hashCredential(authorization ?? "");
  provider.on("grant.success", trust);
  provider.on("authorization.success", trust);
  for (const event of PROOFS) {
    provider.on(event as "grant.success", (ctx) => {
      const credential = credentialOf(ctx);
      if (credential !== undefined) recentCredentials.add(credential);
      trust(ctx);
    });
  }
  onRejected(provider, (ctx, { message }) => {
    if (!GUESSES.has(message)) return;
    const credential = WRONG_CREDENTIALS.has(message) ? credentialOf(ctx) : undefined;
    const wasValid = credential !== undefined && recentCredentials.has(credential);
    if (wasValid) recentCredentials.delete(credential);
    exchangeOf(ctx)?.countFailure(wasValid);
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
  "pushed_authorization_request.error",
  "code_verification.error",
  "device_resume.error",
  "end_session.error",
  "end_session_confirm.error",
] as const;

/** Errors of a stream that ended because of its client, or of other requests on the connection. Koa reports them like failures. */
const CAUSED_BY_CLIENT = ["ECONNRESET", "EPIPE", "ERR_HTTP2_STREAM_ERROR", BUDGET_EXCEEDED] as const;

/** Errors of a client that may be guessing a secret: a code, a token, the secret of an application. */
const GUESSES: ReadonlySet<string> = new Set(["invalid_client", "invalid_grant", "invalid_token"]);

/** Events of requests whose credential is valid. */
const PROOFS = ["client.authenticated", "userinfo.success"] as const;

/** The guesses that are a credential in the header `authorization`. */
const WRONG_CREDENTIALS: ReadonlySet<string> = new Set(["invalid_client", "invalid_token"]);
