import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../gen/grpc/health/v1/health_pb.js";
import { deadlineExceeded, SignetError } from "../../errors.ts";
import { createWaitingWatchers } from "../../events/waiting-watchers.ts";
import { toConnectError } from "../connect/handlers.ts";
import { draining } from "../streams/open-streams.ts";
import { countMessage } from "../streams/stream-key.ts";

/** How often readiness is checked for each watcher. */
const WATCH_MS = 5_000;

/** grpc.health.v1.Health (grpc/doc/health-checking.md). */
interface HealthService {
  addTo(router: ConnectRouter): void;
  /** Checks readiness now, and reports a change to the watchers. */
  recheck(): void;
  /** Reports NOT_SERVING to the watchers, and ends their streams. */
  drain(): void;
}

/**
 * The services in `services`, and the server as a whole (the empty name), are SERVING while `checkReady` resolves, like
 * `/readyz`. The services in `alive` are SERVING while the process runs, like `/healthz`: with liveness probes that
 * failed during an outage of the database, all processes would be restarted without fixing anything.
 */
export function createHealth({
  services,
  alive,
  checkReady,
  watchMs = WATCH_MS,
}: {
  readonly services: readonly string[];
  readonly alive: readonly string[];
  readonly checkReady: () => Promise<void>;
  readonly watchMs?: number | undefined;
}): HealthService {
  const dependent = new Set(["", ...services]);
  const known = [...dependent, ...alive];
  const watchers = createWaitingWatchers();
  let isDraining = false;

  async function readiness(): Promise<Status> {
    if (isDraining) return Status.NOT_SERVING;
    return checkReady().then(
      () => (isDraining ? Status.NOT_SERVING : Status.SERVING),
      () => Status.NOT_SERVING,
    );
  }

  async function statusOf(service: string): Promise<Status> {
    if (dependent.has(service)) return readiness();
    return alive.includes(service) ? Status.SERVING : Status.SERVICE_UNKNOWN;
  }

  async function* watch(service: string, signal: AbortSignal) {
    let sent: Status | undefined;
    const watcher = watchers.add(signal);
    while (!signal.aborted) {
      const status = await statusOf(service);
      if (status !== sent) yield { status };
      sent = status;
      if (isDraining) throw toConnectError(draining());
      await watcher.wait(watchMs);
    }
    const { reason } = signal;
    if (reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) {
      throw toConnectError(deadlineExceeded());
    }
  }

  return {
    addTo(router) {
      router.service(Health, {
        async check({ service }, { values }) {
          countMessage(values);
          const status = await statusOf(service);
          if (status === Status.SERVICE_UNKNOWN) throw toConnectError(serviceUnknown());
          return { status };
        },
        async list(_request, { values }) {
          countMessage(values);
          const ready = await readiness();
          const entries = known.map((name) => [name, { status: dependent.has(name) ? ready : Status.SERVING }]);
          return { statuses: Object.fromEntries(entries) };
        },
        async *watch({ service }, { values, signal }) {
          countMessage(values).listen();
          yield* watch(service, signal);
        },
      });
    },
    recheck: () => void watchers.wake(),
    drain() {
      isDraining = true;
      void watchers.wake();
    },
  };
}

function serviceUnknown(): SignetError {
  return new SignetError("SERVICE_UNKNOWN", "service: the server has no service of this name");
}
