import { send } from "../support/clients/send.ts";
import { createProcesses, type Processes, readToken } from "../support/servers/process.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../support/telemetry/otlp-receiver.ts";

let processes: Processes;
let receiver: OtlpReceiver;
beforeAll(async () => {
  processes = createProcesses();
  receiver = await startOtlpReceiver();
});
afterAll(async () => {
  await processes?.close();
  await receiver?.close();
});

test("each worker exports its traces, the last ones when it stops", async () => {
  const { variables, tokenFile } = await processes.createInstallation("traces");
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_BSP_SCHEDULE_DELAY: "600000" };
  const server = await processes.serve({ ...variables, ...tracing }, ["--workers", "2"]);
  const token = readToken(tokenFile);
  // Each on a separate connection: Node distributes them round-robin.
  for (let count = 0; count < 4; count += 1) await send(server.origin, "GET", "/management/v1/orgs/me", { token });
  expect(receiver.spans).toEqual([]);
  await server.stop();
  const calls = receiver.spans.filter(({ kind }) => kind === "server");
  expect(calls).toHaveLength(4);
  expect(new Set(calls.map(({ resource }) => resource["service.instance.id"])).size).toBe(2);
});
