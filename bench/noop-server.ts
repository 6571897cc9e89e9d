/**
 * A server with an empty handler, on the transport named by the first argument; `fast` with metrics at METRICS_PORT,
 * and with traces.
 */
import { createServer as createHttp2Server } from "node:http2";
import { create } from "@bufbuild/protobuf";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { pino } from "pino";
import { ManagementService, UpdateHumanPhoneResponseSchema } from "../gen/signet/v1/management_pb.js";
import type { AuthorizedCaller } from "../src/access/authorize.ts";
import { readConfig } from "../src/config.ts";
import { createPort } from "../src/http/port.ts";
import { createRpcHandler } from "../src/rpc/create-rpc-handler.ts";
import type { Metrics } from "../src/telemetry/metrics.ts";
import { startMetricsServer } from "../src/telemetry/metrics-server.ts";
import { openTracer } from "../src/telemetry/open-tracer.ts";

const port = Number(process.env.PORT);
const details = { sequence: 7n, resourceOwner: "00000000-0000-7000-8000-000000000001" };

// The exit writes the CPU profile, if there is one.
process.once("SIGTERM", () => process.exit());

switch (process.argv[2]) {
  case "fast": {
    const desc = ManagementService.method.updateHumanPhone;
    const principal: AuthorizedCaller = {
      kind: "principal",
      authority: { kind: "known" },
      userId: "",
      instanceId: "",
      orgId: "",
      instanceRoles: [],
      orgRoles: [],
      userOrgId: "",
      roleScopes: null,
    };
    const metrics = await openMetrics();
    const log = pino({ level: "silent" });
    const tracer = await openTracer(readConfig(process.env), { log, version: "0" });
    const handler = createRpcHandler({
      rpcs: [
        {
          desc,
          name: "signet.v1.ManagementService/UpdateHumanPhone",
          permission: "user.write",
          confirmsCaller: false,
          headers: [],
          run: async () => create(UpdateHumanPhoneResponseSchema, { details }),
        },
      ],
      corsOrigins: [],
      authorize: async ({ client }) => {
        client.trust();
        return principal;
      },
      maxBodyBytes: 1_048_576,
      requestTimeoutMs: 15_000,
      log,
      metrics,
      tracer,
    });
    await createPort({ handler, metrics }).listen(port, "127.0.0.1");
    break;
  }
  case "connect":
    createHttp2Server(
      connectNodeAdapter({
        routes: (router) => router.service(ManagementService, { updateHumanPhone: () => ({ details }) }),
      }),
    ).listen(port, "127.0.0.1");
    break;
  case "grpc-js": {
    const definition = loadSync("signet/v1/management.proto", {
      includeDirs: ["proto"],
    });
    const server = new grpc.Server();
    server.addService(definition["signet.v1.ManagementService"] as grpc.ServiceDefinition, {
      UpdateHumanPhone: (_call: unknown, done: grpc.sendUnaryData<unknown>) =>
        done(null, { details: { ...details, sequence: "7" } }),
    });
    server.bindAsync(`127.0.0.1:${port}`, grpc.ServerCredentials.createInsecure(), () => {});
    break;
  }
  default:
    throw new Error("expected a transport: fast, connect or grpc-js");
}

async function openMetrics(): Promise<Metrics | undefined> {
  const metricsPort = Number(process.env.METRICS_PORT ?? 0);
  if (metricsPort === 0) return undefined;
  const { createProcessMetrics } = await import("../src/telemetry/metrics-registry.ts");
  const { metrics, print } = createProcessMetrics({});
  await startMetricsServer({ host: "127.0.0.1", port: metricsPort, print, onError: console.error });
  return metrics;
}
