import { pino } from "pino";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { createPort } from "../../src/http/port.ts";
import { createHealthAndReflection } from "../../src/rpc/create-health-and-reflection.ts";
import { createRpcHandler } from "../../src/rpc/create-rpc-handler.ts";
import type { StreamBudgets } from "../../src/rpc/streams/stream-budgets.ts";

/** Health checks and reflection on a real port, without a database. */
export interface TestHealthAndReflection {
  readonly port: number;
  readonly origin: string;
  /** Whether the database can be reached. */
  isReady: boolean;
  /** The log. */
  readonly logs: string[];
  recheck(): void;
  drain(): void;
  /** Drains the port for at most this time, by default 5,000 ms, and resolves to the duration in milliseconds. */
  close(graceMs?: number): Promise<number>;
}

export async function startHealthAndReflection(
  budgets: Partial<StreamBudgets> = {},
  watchMs = 20,
): Promise<TestHealthAndReflection> {
  const logs: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => logs.push(line) });
  const healthAndReflection = createHealthAndReflection({
    services: [AdminService, ManagementService, AuthService],
    checkReady: () => (service.isReady ? Promise.resolve() : Promise.reject(new Error("no database"))),
    log,
    budgets,
    watchMs,
  });
  const handler = createRpcHandler({
    rpcs: [],
    authorize: () => Promise.reject(new Error("none of these services asks for a token")),
    corsOrigins: ["*"],
    streamServices: healthAndReflection.services,
    maxBodyBytes: 1_048_576,
    requestTimeoutMs: 15_000,
    log,
  });
  const port = createPort({ handler, onFault: (fault) => logs.push(fault.message) });
  const { port: number } = await port.listen(0, "127.0.0.1");
  const service: TestHealthAndReflection = {
    port: number,
    origin: `http://127.0.0.1:${number}`,
    isReady: true,
    logs,
    recheck: healthAndReflection.recheck,
    drain: healthAndReflection.drain,
    async close(graceMs = 5_000) {
      const startedAt = performance.now();
      healthAndReflection.drain();
      await port.drain(graceMs);
      return performance.now() - startedAt;
    },
  };
  return service;
}
