import type { DescService } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import { Health } from "../../gen/grpc/health/v1/health_pb.js";
import type { Metrics } from "../telemetry/metrics.ts";
import { createHealth } from "./health/create-health.ts";
import { addReflection, REFLECTION_SERVICES } from "./reflection/create-reflection.ts";
import { createStreamServices, type StreamServices } from "./streams/create-stream-services.ts";
import type { StreamBudgets } from "./streams/stream-budgets.ts";

/** The services that gRPC tools expect from a server: health checks and reflection. */
interface HealthAndReflection {
  readonly services: StreamServices;
  /** Checks readiness now, for health watchers. */
  recheck(): void;
  /** Reports NOT_SERVING from now on, and ends the open streams. */
  drain(): void;
}

/**
 * @param services Services of the contract.
 * @param checkReady Resolves while the service can serve, and rejects while it cannot.
 */
export function createHealthAndReflection({
  services,
  checkReady,
  log,
  metrics,
  budgets,
  watchMs,
}: {
  readonly services: readonly DescService[];
  readonly checkReady: () => Promise<void>;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly budgets?: Partial<StreamBudgets>;
  readonly watchMs?: number;
}): HealthAndReflection {
  const own = [Health, ...REFLECTION_SERVICES];
  const health = createHealth({ services: namesOf(services), alive: namesOf(own), checkReady, watchMs });
  const streamServices = createStreamServices({
    addServices(router) {
      health.addTo(router);
      addReflection(router, [...services, ...own]);
    },
    log,
    metrics,
    budgets,
  });
  return {
    services: streamServices,
    recheck: health.recheck,
    drain() {
      health.drain();
      streamServices.drain();
    },
  };
}

function namesOf(services: readonly DescService[]): string[] {
  return services.map(({ typeName }) => typeName);
}
