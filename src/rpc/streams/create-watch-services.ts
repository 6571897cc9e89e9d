import type { DescMethodServerStreaming, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createConnectRouter, createContextKey, createContextValues } from "@connectrpc/connect";
import type { Logger } from "pino";
import { AdminService } from "../../../gen/signet/v1/admin_pb.js";
import type { WatchEventsRequestSchema } from "../../../gen/signet/v1/event_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import type { Authorize, CallerIdentity } from "../../access/authorize.ts";
import type { Call } from "../../call.ts";
import { elapsedMs } from "../../clock.ts";
import { deadlineExceeded } from "../../errors.ts";
import { createEventFeed } from "../../events/event-feed.ts";
import type { ListEventsParts } from "../../events/list-events.ts";
import { type WatchEventsParts, watchEvents } from "../../events/watch-events.ts";
import type { Exchange, RawHeaders } from "../../http/exchange.ts";
import { logFailure } from "../../log-failure.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { COMPRESSIONS } from "../connect/compression.ts";
import { toConnectError } from "../connect/handlers.ts";
import { sendUnsupported } from "../connect/send-unsupported.ts";
import { grpcProtocolOf } from "../grpc/headers.ts";
import { readPermission } from "../implement.ts";
import { toEventWatch } from "../requests/event.ts";
import { toWatchItem } from "../responses/event.ts";
import { checkMessage } from "../rules/check-message.ts";
import { requireListLimits } from "../rules/list-limits.ts";
import { toCredentials } from "../run-call.ts";
import type { StreamServices } from "./create-stream-services.ts";
import { createOpenStreams, draining, type OpenStream } from "./open-streams.ts";
import { serveStream, toSignetError } from "./serve-stream.ts";
import { DEFAULT_WATCH_BUDGETS, type StreamBudgets } from "./stream-budgets.ts";

/** How often a stream without events sends a message, and checks its caller. */
const HEARTBEAT_MS = 20_000;
const RECHECK_MS = 5_000;
/** Searches of watchers for events that the feed no longer has, at the same time. */
const SEARCHES = 4;

export interface WatchServicesParts extends ListEventsParts {
  readonly authorize: Authorize;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly times?: WatchTimes | undefined;
  readonly budgets?: Partial<StreamBudgets> | undefined;
}

/** The times of streams, in milliseconds. */
export interface WatchTimes {
  readonly heartbeatMs?: number;
  readonly recheckMs?: number;
  readonly pollMs?: number;
}

const METHODS = [
  { method: ManagementService.method.watchEvents, scope: "org" },
  { method: AdminService.method.watchEvents, scope: "instance" },
] as const;

/** An authorized stream. */
interface Watching {
  readonly call: Call;
  readonly stream: OpenStream;
  readonly signal: AbortSignal;
  readonly recheck: () => Promise<void>;
  /** Called with the code with which the stream ends. */
  readonly end: (code: string, reason?: string) => void;
}

const watchingKey = createContextKey<Watching | undefined>(undefined, { description: "the watching caller" });

/**
 * Serves `WatchEvents` of both services, over gRPC, gRPC-Web and Connect. The open streams of each user count against
 * its budget. When the service drains, they end with UNAVAILABLE.
 */
export function createWatchServices(parts: WatchServicesParts): StreamServices {
  const { authorize, log, metrics, times = {} } = parts;
  const budgets = { ...DEFAULT_WATCH_BUDGETS, ...parts.budgets };
  const streams = createOpenStreams(budgets, metrics);
  const onError = (error: unknown) => logFailure(log, "warn", { err: error }, "the events could not be read");
  const watchParts: WatchEventsParts = {
    ...parts,
    feed: createEventFeed({ ...parts, onError, pollMs: times.pollMs }),
    catchUp: createLimit(SEARCHES),
    heartbeatMs: times.heartbeatMs ?? HEARTBEAT_MS,
    recheckMs: times.recheckMs ?? RECHECK_MS,
  };
  const router = createConnectRouter({
    acceptCompression: [...COMPRESSIONS],
    // A stream would have a compressor for each small message.
    compressMinBytes: 0xffff_ffff,
    readMaxBytes: budgets.messageBytes,
    jsonOptions: { ignoreUnknownFields: false },
  });
  for (const { method, scope } of METHODS) {
    requireListLimits(method.input);
    router.rpc(method, (request, { values, signal }) =>
      respond(scope, method, request, values.get(watchingKey), signal),
    );
  }
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const byPath = new Map(METHODS.map(({ method }) => [`/${method.parent.typeName}/${method.name}`, method]));

  async function* respond(
    scope: "org" | "instance",
    method: DescMethodServerStreaming,
    request: MessageShape<typeof WatchEventsRequestSchema>,
    watching: Watching | undefined,
    callerSignal: AbortSignal,
  ) {
    if (watching === undefined) throw new Error("a stream without a caller");
    const { call, stream, recheck, end } = watching;
    const signal = AbortSignal.any([watching.signal, callerSignal]);
    try {
      const fields = await checkMessage(method.input, request as never, (problems) => toEventWatch(request, problems));
      stream.listen();
      for await (const item of watchEvents(watchParts, scope, fields, { call, signal, recheck })) {
        yield toWatchItem(item);
        stream.touch();
      }
      throwReason(signal);
      end("ok");
    } catch (thrown) {
      if (thrown instanceof ConnectError && thrown.code === Code.Canceled) {
        end("canceled");
        throw thrown;
      }
      const error = toSignetError(thrown);
      if (error.cause !== undefined && error.code === "internal") {
        logFailure(log, "error", { err: error.cause }, error.message);
      }
      end(error.code, error.reason);
      throw toConnectError(error);
    } finally {
      // The client has gone.
      end("canceled");
    }
  }

  async function serve(exchange: Exchange, headers: RawHeaders, method: DescMethodServerStreaming): Promise<void> {
    const handler = handlers.get(exchange.path);
    if (handler === undefined) throw new Error(`Connect has no handler for ${exchange.path}`);
    const permission = readPermission(method);
    const credentials = toCredentials(exchange);
    const startedAt = performance.now();
    const over = new AbortController();
    let identity: CallerIdentity | undefined;
    let orgId: string | undefined;
    let hasEnded = false;
    const end = (code: string, reason?: string) => {
      if (hasEnded) return;
      hasEnded = true;
      const name = `${method.parent.typeName}/${method.name}`;
      const protocol = grpcProtocolOf(exchange.headers) ?? "connect";
      const line = { requestId: exchange.id, method: name, protocol, code, reason, ms: elapsedMs(startedAt), orgId };
      log.info({ ...line, ...identity }, "call");
    };
    const throwIfOver = () => {
      if (over.signal.aborted) throw over.signal.reason;
    };
    exchange.onClose(() => over.abort(new ConnectError("the client has gone", Code.Canceled)));
    const claimant = {
      throwIfOver,
      identify(found: CallerIdentity) {
        identity = found;
      },
    };
    await serveStream({ exchange, headers, handler }, async (ends) => {
      try {
        const caller = await authorize(credentials, permission, claimant);
        orgId = caller.orgId;
        const stream = streams.open(caller.userId, true, {
          ...ends,
          endRequest: (error) => over.abort(error ?? new ConnectError("the client is idle", Code.Canceled)),
        });
        const recheck = async () => void (await authorize(credentials, permission, claimant));
        const call: Call = { ...caller, signal: over.signal, throwIfOver };
        const watching = { call, stream, signal: over.signal, recheck, end };
        return { stream, values: createContextValues().set(watchingKey, watching) };
      } catch (error) {
        const { code, reason } = toSignetError(error);
        end(code, reason);
        throw error;
      }
    });
  }

  return {
    serve(exchange, headers) {
      const method = byPath.get(exchange.path);
      const handler = handlers.get(exchange.path);
      if (method === undefined || handler === undefined) return false;
      if (sendUnsupported(exchange, headers, handler)) return true;
      serve(exchange, headers, method).catch((error) =>
        log.error({ requestId: exchange.id, err: error }, "a call got no response"),
      );
      return true;
    },
    drain: streams.drain,
  };
}

/** Throws the error that ended a stream: the service drains, or the deadline of the caller has passed. */
function throwReason({ aborted, reason }: AbortSignal): void {
  if (!aborted) return;
  if (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) throw deadlineExceeded();
  throw reason ?? draining();
}

/** Runs at most this many functions at the same time; the others wait in the order in which they came. */
function createLimit(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
