import type { Message } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import type { Authorize, Credentials } from "../access/authorize.ts";
import type { Call, Principal } from "../call.ts";
import { deadlineExceeded, type ErrorCode, SignetError } from "../errors.ts";
import type { Exchange, RawHeaders } from "../http/exchange.ts";
import { logFailure } from "../log-failure.ts";
import type { Rpc } from "./implement.ts";
import type { Form } from "./timeout.ts";

/** What running a call needs besides the call. */
export interface CallContext {
  readonly authorize: Authorize;
  readonly maxBodyBytes: number;
  readonly requestTimeoutMs: number;
  readonly log: Logger;
}

/** How a call is read from its body, and how its answer is written. */
export interface Wire {
  readonly form: Form;
  /** How many bytes a body has besides the message. */
  readonly overheadBytes: number;
  /**
   * Reads the request from the body, runs it, and sends the answer.
   *
   * @returns The name of the code that was sent, such as `ok`.
   * @throws SignetError for a body that does not hold the method's request; what `run` throws.
   */
  answer(exchange: Exchange, headers: RawHeaders, body: Buffer, run: Run): Promise<string>;
  sendError(exchange: Exchange, headers: RawHeaders, error: SignetError): void | Promise<void>;
}

/** Runs the operation. Rejects once the call is over. */
export type Run = (request: Message) => Promise<Message>;

/** A call that has arrived. */
export interface ReceivedCall {
  readonly exchange: Exchange;
  readonly rpc: Rpc;
  readonly wire: Wire;
  /** How long the caller waits, in milliseconds; undefined: as long as the service allows. */
  readonly timeoutMs: number | undefined;
  /** Headers that every answer has. */
  readonly headers: RawHeaders;
}

/**
 * Takes a call from its head to its answer, on every wire: caller and permission, before the body is looked at; the
 * message; the operation; the answer; the log line. The first to come ends the call: the answer, an error, the deadline, or
 * the disconnect of the caller.
 */
export function runCall({ exchange, rpc, wire, ...call }: ReceivedCall, context: CallContext): void {
  const { authorize, maxBodyBytes, requestTimeoutMs, log } = context;
  const startedAt = performance.now();
  const headers = rpc.headers.length > 0 ? [...call.headers, ...rpc.headers] : call.headers;
  let principal: Principal | undefined;
  let end: AbortController | undefined;
  let isOver = false;
  const timeoutMs = Math.min(call.timeoutMs ?? requestTimeoutMs, requestTimeoutMs);
  const timer = setTimeout(() => fail(deadlineExceeded()), timeoutMs);
  exchange.onClose(() => finish("canceled"));
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
      principal = await authorize(toCredentials(exchange), rpc.permission, { throwIfOver });
      const body = await reading;
      if (body instanceof SignetError) throw body;
      throwIfOver();
      const code = await wire.answer(exchange, headers, body, runOperation);
      finish(code);
    } catch (error) {
      fail(error);
    }
  }

  async function runOperation(request: Message): Promise<Message> {
    throwIfOver();
    const message = await rpc.run(request, createCall());
    // The answer to a call that is over goes nowhere.
    throwIfOver();
    return message;
  }

  function createCall(): Call {
    if (principal === undefined) throw new Error("the caller is not known");
    return {
      ...principal,
      idempotencyKey: trimHeader(exchange.headers["idempotency-key"]),
      get signal() {
        end ??= new AbortController();
        if (isOver) end.abort(OVER);
        return end.signal;
      },
      throwIfOver,
    };
  }

  function fail(thrown: unknown): void {
    if (isOver) return;
    const failure =
      thrown instanceof SignetError ? thrown : new SignetError("INTERNAL", "internal error", { cause: thrown });
    if (failure.cause !== undefined && FAULTS.has(failure.code)) {
      logFailure(log, "error", { requestId: exchange.id, err: failure.cause }, failure.message);
    }
    finish(failure.code, failure.reason);
    void sendFailure(failure);
  }

  async function sendFailure(failure: SignetError): Promise<void> {
    try {
      await wire.sendError(exchange, headers, failure);
    } catch (error) {
      log.error({ requestId: exchange.id, err: error }, "an error could not be sent");
    }
  }

  function finish(code: string, reason?: string): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    end?.abort(OVER);
    const ms = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
    const { form } = wire;
    log.info({ requestId: exchange.id, method: rpc.name, form, code, reason, ms, orgId: principal?.orgId }, "call");
  }

  function throwIfOver(): void {
    if (isOver) throw OVER;
  }
}

/** Made once: an abort without a reason makes a DOMException each time. Nobody sees it, because the call is over. */
const OVER = new Error("the call is over");

/** Codes that are no fault of the caller. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(["internal", "unavailable", "aborted"]);

function toCredentials(exchange: Exchange): Credentials {
  const { headers } = exchange;
  const authorization = trimHeader(headers.authorization);
  return { authorization, orgId: trimHeader(headers["x-service-orgid"]), client: exchange };
}

/** RFC 9110, section 5.5: white space around a value is no part of it; HTTP/2 leaves it where it is. */
function trimHeader(value: string | string[] | undefined): string | undefined {
  return value === undefined ? undefined : String(value).replace(/^[ \t]+|[ \t]+$/g, "");
}
