import type { Message } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import type { Authorize } from "../access/authorize.ts";
import { SignetError } from "../errors.ts";
import type { Exchange, RawHeaders } from "../http/exchange.ts";
import { type CallRecord, logCall, noteFailure } from "./call-record.ts";
import type { RpcMethod } from "./rpc-methods.ts";
import { deadlineExceeded } from "./wire-errors.ts";

/** What serving a call needs besides the call. */
export interface ServeContext {
  readonly authorize: Authorize;
  readonly maxBodyBytes: number;
  readonly requestTimeoutMs: number;
  readonly log: Logger;
}

/** How one call is read from its body, and how its answer is written. */
export interface Wire {
  /** How many bytes a body has besides the message. */
  readonly overheadBytes: number;
  /** @throws SignetError for a body that does not hold the method's request. */
  readMessage(body: Buffer): Message;
  sendMessage(exchange: Exchange, headers: RawHeaders, message: Message): void;
  sendError(exchange: Exchange, headers: RawHeaders, error: SignetError): void;
}

/** A call on its way through the server. */
export interface UnaryCall {
  readonly exchange: Exchange;
  readonly rpc: RpcMethod;
  readonly wire: Wire;
  readonly record: CallRecord;
  /** How long the caller waits, in milliseconds; undefined: as long as the service lets it. */
  readonly timeoutMs: number | undefined;
  /** Headers that every answer has. */
  readonly headers: RawHeaders;
}

/**
 * Serves a unary call straight from the HTTP request to the operation and back: caller and permission, before the body is
 * looked at; the message; the operation; the answer. Whatever comes first ends the call: the answer, an error, the
 * deadline, or that the caller goes away.
 */
export function serveUnary(call: UnaryCall, { authorize, maxBodyBytes, requestTimeoutMs, log }: ServeContext): void {
  const { exchange, rpc, wire, record } = call;
  const headers = [...call.headers, ...rpc.headers];
  let isOver = false;
  const over = new AbortController();
  const timeoutMs = Math.min(call.timeoutMs ?? requestTimeoutMs, requestTimeoutMs);
  const timer = setTimeout(() => fail(deadlineExceeded()), timeoutMs);
  exchange.onGone(() => end("canceled"));
  // The shortest timer takes a millisecond, which may be enough for the whole call.
  if (timeoutMs < 1) fail(deadlineExceeded());
  else void run();

  async function run(): Promise<void> {
    try {
      const reading = exchange.readBody({
        maxBytes: maxBodyBytes,
        overheadBytes: wire.overheadBytes,
        isOver: () => isOver,
      });
      record.principal = await authorize(toCredentials(exchange), rpc.permission);
      const body = await reading;
      if (body instanceof SignetError) throw body;
      const request = wire.readMessage(body);
      throwIfOver();
      const message = await rpc.run(request, { ...record.principal, throwIfOver, signal: over.signal });
      if (isOver) return;
      wire.sendMessage(exchange, headers, message);
      end("ok");
    } catch (error) {
      fail(error);
    }
  }

  function fail(thrown: unknown): void {
    if (isOver) return;
    const failure = noteFailure(log, record, thrown);
    try {
      wire.sendError(exchange, headers, failure);
    } catch (error) {
      log.error({ requestId: record.requestId, err: error }, "an error could not be sent");
    }
    end(failure.code);
  }

  function end(code: string): void {
    if (isOver) return;
    isOver = true;
    if (code !== "ok") over.abort(new Error("the call is over"));
    clearTimeout(timer);
    logCall(log, record, code);
  }

  function throwIfOver(): void {
    if (isOver) throw new Error("the call is over");
  }
}

function toCredentials({ headers }: Exchange) {
  return { authorization: readHeader(headers.authorization), orgId: readHeader(headers["x-service-orgid"]) };
}

/** PROTOCOL-HTTP2.md: white space around a value may be stripped; Connect does so, and HTTP/2 leaves it where it is. */
function readHeader(value: string | string[] | undefined): string | null {
  return value === undefined ? null : String(value).trim();
}
