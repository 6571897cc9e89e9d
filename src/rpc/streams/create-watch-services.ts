import type { ConnectRouter } from "@connectrpc/connect";
import type { Logger } from "pino";
import { AdminService } from "../../../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import type { Authorize } from "../../access/authorize.ts";
import { createEventFeed } from "../../events/event-feed.ts";
import type { ListEventsParts } from "../../events/list-events.ts";
import { logFailure } from "../../log-failure.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { requireListLimits } from "../rules/list-limits.ts";
import { createStreamServer, type StreamServices } from "./create-stream-services.ts";
import { createOpenStreams } from "./open-streams.ts";
import { sendEvents, type WatchMethod } from "./send-events.ts";
import { serveWatch } from "./serve-watch.ts";
import { DEFAULT_WATCH_BUDGETS, type StreamBudgets } from "./stream-budgets.ts";
import { watchingKey } from "./watching.ts";

/** How often a stream without events sends a message, and checks its caller. */
const HEARTBEAT_MS = 20_000;
const RECHECK_MS = 5_000;
/** Searches of watchers for events that the feed no longer has, at the same time. */
const SEARCHES = 4;

interface WatchServicesParts extends ListEventsParts {
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

const METHODS: readonly WatchMethod[] = [
  { method: ManagementService.method.watchEvents, scope: "org" },
  { method: AdminService.method.watchEvents, scope: "instance" },
];

/**
 * Serves `WatchEvents` of both services, over gRPC, gRPC-Web and Connect. The open streams of each user count against
 * its budget and that of its organization. When the service drains, they end with UNAVAILABLE.
 */
export function createWatchServices(parts: WatchServicesParts): StreamServices {
  const { authorize, log } = parts;
  const budgets = { ...DEFAULT_WATCH_BUDGETS, ...parts.budgets };
  const streams = createOpenStreams(budgets, parts.metrics);
  const serve = createStreamServer({
    addServices: (router) => addMethods(router, parts),
    readMaxBytes: budgets.messageBytes,
    log,
    respond: (call) => serveWatch({ authorize, streams, log }, call),
  });
  return { serve, drain: streams.drain };
}

function addMethods(router: ConnectRouter, parts: WatchServicesParts): void {
  const { log, times = {} } = parts;
  const onError = (error: unknown) => logFailure(log, "warn", { err: error }, "the events could not be read");
  const sendParts = {
    ...parts,
    feed: createEventFeed({ ...parts, onError, pollMs: times.pollMs }),
    catchUp: createLimit(SEARCHES),
    heartbeatMs: times.heartbeatMs ?? HEARTBEAT_MS,
    recheckMs: times.recheckMs ?? RECHECK_MS,
  };
  for (const watch of METHODS) {
    requireListLimits(watch.method.input);
    router.rpc(watch.method, (request, { values, signal }) => {
      const watching = values.get(watchingKey);
      if (watching === undefined) throw new Error("a stream without a caller");
      return sendEvents(sendParts, watch, request, watching, signal);
    });
  }
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
