import type { Message } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import type { Authorize, AuthorizedCaller, CallerIdentity, Credentials } from "../access/authorize.ts";
import { type Call, UNCONFIRMED } from "../call.ts";
import { elapsedMs } from "../clock.ts";
import { deadlineExceeded, type ErrorCode, SignetError } from "../errors.ts";
import type { Exchange, RawHeaders } from "../http/exchange.ts";
import { logFailure } from "../log-failure.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { ServerSpan, Tracer } from "../telemetry/span.ts";
import { traceIdOf } from "../telemetry/trace-context.ts";
import { endCallSpan, startCallSpan } from "./call-span.ts";
import type { Rpc } from "./implement.ts";
import type { ProtocolName } from "./timeout.ts";

/** The dependencies of a call. */
export interface CallContext {
  readonly authorize: Authorize;
  readonly maxBodyBytes: number;
  readonly requestTimeoutMs: number;
  readonly log: Logger;
  readonly tracer?: Tracer | undefined;
  readonly metrics?: Metrics | undefined;
}

/** Reads the request of a call, and writes its response. */
export interface Protocol {
  readonly name: ProtocolName;
  /** The number of bytes in a body in addition to the message. */
  readonly overheadBytes: number;
  /**
   * Reads the request from the body, runs it, and sends the response.
   *
   * @returns The name of the code that was sent, such as `ok`.
   * @throws SignetError for a body that is not a request of the method; rethrows errors of `run`.
   */
  respond(exchange: Exchange, headers: RawHeaders, body: Buffer, run: Run): Promise<string>;
  sendError(exchange: Exchange, headers: RawHeaders, error: SignetError): void | Promise<void>;
}

/** Runs the operation. Rejects when the call ends. */
export type Run = (request: Message) => Promise<Message>;

/** A call that has arrived. */
interface ReceivedCall {
  readonly exchange: Exchange;
  readonly rpc: Rpc;
  readonly protocol: Protocol;
  /** The caller's timeout in milliseconds; undefined for the service's own limit. */
  readonly timeoutMs: number | undefined;
  /** Headers that every response has. */
  readonly headers: RawHeaders;
}

/**
 * Processes a call over any protocol, from its head to its response: caller and permission, before the body is read;
 * the message; the operation; the response; the log line. The call ends with the response, an error, the deadline, or the
 * caller's disconnect, whichever comes first.
 */
export function runCall(call: ReceivedCall, context: CallContext): void {
  new RunningCall(call, context).start();
}

class RunningCall {
  readonly #call: ReceivedCall;
  readonly #context: CallContext;
  readonly #headers: RawHeaders;
  readonly #startedAt = performance.now();
  readonly #span: ServerSpan | undefined;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined = undefined;
  #orgId: string | undefined = undefined;
  #identity: CallerIdentity | undefined = undefined;
  #isOver = false;

  constructor(call: ReceivedCall, context: CallContext) {
    const { headers } = call.rpc;
    this.#call = call;
    this.#context = context;
    this.#headers = headers.length > 0 ? [...call.headers, ...headers] : call.headers;
    this.#span = context.tracer && startCallSpan(context.tracer, call.exchange, call.rpc, call.protocol.name);
  }

  start(): void {
    const { exchange, timeoutMs: callerMs } = this.#call;
    const { requestTimeoutMs } = this.#context;
    const timeoutMs = callerMs === undefined ? requestTimeoutMs : Math.min(callerMs, requestTimeoutMs);
    this.#timer = setTimeout(() => this.#fail(deadlineExceeded()), timeoutMs);
    exchange.onClose(() => this.#finish("canceled"));
    // The shortest timer takes a millisecond, in which the whole call could complete.
    if (timeoutMs < 1) this.#fail(deadlineExceeded());
    else void this.#run();
  }

  async #run(): Promise<void> {
    const { exchange, rpc, protocol } = this.#call;
    try {
      const reading = exchange.readBody({
        maxBytes: this.#context.maxBodyBytes,
        overheadBytes: protocol.overheadBytes,
        isOver: () => this.#isOver,
      });
      const caller = await this.#authorize(rpc.confirmsCaller);
      if (caller.authority.kind === "known") await this.#respond(caller, reading);
      else await this.#respondToRemembered(caller, reading);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Until a statement has confirmed a remembered caller, it must not see an error of the operation, so its token is
   * looked up. If the caller was not confirmed, nothing has changed, and the operation runs for the caller as found.
   */
  async #respondToRemembered(remembered: AuthorizedCaller, reading: Reading): Promise<void> {
    try {
      await this.#respond(remembered, reading);
    } catch (error) {
      // An outage says nothing about the request.
      if (this.#isOver || (error instanceof SignetError && error.code === "unavailable")) throw error;
      const known = await this.#authorize(false);
      if (error !== UNCONFIRMED) throw error;
      await this.#respond(known, reading);
    }
  }

  async #authorize(mayRecall: boolean): Promise<AuthorizedCaller> {
    const { exchange, rpc } = this.#call;
    const claimant = {
      mayRecall,
      span: this.#span,
      throwIfOver: this.#throwIfOver,
      identify: (identity: CallerIdentity) => {
        this.#identity = identity;
      },
    };
    const caller = await this.#context.authorize(toCredentials(exchange), rpc.permission, claimant);
    this.#orgId = caller.orgId;
    this.#span?.admit();
    return caller;
  }

  async #respond(caller: AuthorizedCaller, reading: Reading): Promise<void> {
    const { exchange, rpc, protocol } = this.#call;
    const body = await reading;
    if (body instanceof SignetError) throw body;
    this.#throwIfOver();
    const call = this.#toCall(caller);
    const code = await protocol.respond(exchange, this.#headers, body, async (request) => {
      this.#throwIfOver();
      const message = await rpc.run(request, call);
      // A call that is over needs no response.
      this.#throwIfOver();
      return message;
    });
    this.#finish(code);
  }

  /** The call as operations see it. */
  #toCall(caller: AuthorizedCaller): Call {
    return {
      ...caller,
      idempotencyKey: trimHeader(this.#call.exchange.headers["idempotency-key"]),
      span: this.#span,
      signal: this.#end.signal,
      throwIfOver: this.#throwIfOver,
    };
  }

  /** An arrow function, because operations destructure the call. */
  readonly #throwIfOver = (): void => {
    if (this.#isOver) throw OVER;
  };

  #fail(thrown: unknown): void {
    if (this.#isOver) return;
    const failure =
      thrown instanceof SignetError ? thrown : new SignetError("INTERNAL", "internal error", { cause: thrown });
    if (failure.cause !== undefined && FAULTS.has(failure.code)) {
      const details = { requestId: this.#call.exchange.id, err: failure.cause };
      logFailure(this.#context.log, "error", details, failure.message);
    }
    this.#finish(failure.code, failure.reason);
    void this.#sendFailure(failure);
  }

  async #sendFailure(failure: SignetError): Promise<void> {
    const { exchange, protocol } = this.#call;
    try {
      await protocol.sendError(exchange, this.#headers, failure);
    } catch (error) {
      this.#context.log.error({ requestId: exchange.id, err: error }, "an error could not be sent");
    }
  }

  #finish(code: string, reason?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#end.abort(OVER);
    const { exchange, rpc, protocol } = this.#call;
    const traceId = traceIdOf(this.#span, exchange.headers);
    const ms = elapsedMs(this.#startedAt);
    const orgId = this.#orgId;
    const line = {
      requestId: exchange.id,
      method: rpc.name,
      protocol: protocol.name,
      code,
      reason,
      ms,
      orgId,
      trace_id: traceId,
      ...this.#identity,
    };
    this.#context.log.info(line, "call");
    this.#context.metrics?.callEnded(rpc.name, protocol.name, code, ms);
    if (this.#span !== undefined) endCallSpan(this.#span, protocol.name, { code, reason, orgId });
  }
}

type Reading = ReturnType<Exchange["readBody"]>;

/** Created once, because an abort without a reason creates a DOMException each time. Never reported. */
const OVER = new Error("the call is over");

/** Codes of failures that the caller did not cause. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(["internal", "unavailable", "aborted"]);

/** The credentials of a request. */
export function toCredentials(exchange: Exchange): Credentials {
  const { headers } = exchange;
  return {
    authorization: trimHeader(headers.authorization),
    orgId: trimHeader(headers["x-service-orgid"]),
    publishedOrgId: trimHeader(headers["x-zitadel-orgid"]),
    client: exchange,
  };
}

/**
 * Removes white space around a value, which is not part of it (RFC 9110, section 5.5); HTTP/2 does not trim values.
 * Without a regular expression, because `/[ \t]+$/` takes time quadratic in the white space within the value.
 */
function trimHeader(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
