import { pino } from "pino";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../../gen/signet/v1/management_pb.js";
import { createPort } from "../../src/http/port.ts";
import { createRpcHandler } from "../../src/rpc/create-rpc-handler.ts";
import { createConventions } from "../../src/rpc/grpc/create-conventions.ts";
import type { StreamBudgets } from "../../src/rpc/public/stream-budgets.ts";

/** Health checks and reflection on a real port, without a database. */
export interface TestConventions {
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

export async function startConventions(budgets: Partial<StreamBudgets> = {}, watchMs = 20): Promise<TestConventions> {
  const logs: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => logs.push(line) });
  const conventions = createConventions({
    services: [AdminService, ManagementService],
    checkReady: () => (service.isReady ? Promise.resolve() : Promise.reject(new Error("no database"))),
    log,
    budgets,
    watchMs,
  });
  const handler = createRpcHandler({
    rpcs: [],
    authorize: () => Promise.reject(new Error("none of these services asks for a token")),
    corsOrigins: ["*"],
    publicServices: conventions.services,
    maxBodyBytes: 1_048_576,
    requestTimeoutMs: 15_000,
    log,
  });
  const port = createPort({ handler, onFault: (fault) => logs.push(fault.message) });
  const { port: number } = await port.listen(0, "127.0.0.1");
  const service: TestConventions = {
    port: number,
    origin: `http://127.0.0.1:${number}`,
    isReady: true,
    logs,
    recheck: conventions.recheck,
    drain: conventions.drain,
    async close(graceMs = 5_000) {
      const startedAt = performance.now();
      conventions.drain();
      await port.drain(graceMs);
      return performance.now() - startedAt;
    },
  };
  return service;
}
