import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { human, IMPORT_PATH, send } from "../support/clients/send.ts";
import { createProcesses, type Installation, readToken, type TestServer } from "../support/servers/process.ts";
import { parseMetrics, type Samples } from "../support/telemetry/prometheus.ts";
import { until } from "../support/until.ts";

const processes = createProcesses();
afterAll(() => processes.close());

interface Line {
  readonly msg: string;
  readonly host?: string;
  readonly port?: number;
  readonly worker?: number;
}

const linesOf = (server: TestServer): Line[] =>
  server
    .stderr()
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

async function serve(installation: Installation, more: Record<string, string>, options: string[] = []) {
  const server = await processes.serve({ ...installation.variables, ...more }, options);
  await until("the metrics are served", () => more.METRICS_PORT === undefined || endpointOf(server) !== undefined);
  const scrape = async () => {
    const response = await fetch(`http://127.0.0.1:${endpointOf(server)?.port}/metrics`);
    return parseMetrics(await response.text());
  };
  return { server, scrape };
}

const endpointOf = (server: TestServer) => linesOf(server).find(({ msg }) => msg === "serving metrics");

const OK =
  'signet_rpc_duration_seconds_count{method="signet.v1.ManagementService/ImportHumanUser",protocol="rest",code="ok"}';
const calls = (samples: Samples) => samples.get(OK) ?? 0;

let users = 0;
async function importUsers(server: TestServer, installation: Installation, count: number): Promise<void> {
  const token = readToken(installation.tokenFile);
  for (let sent = 0; sent < count; sent += 1) {
    const answer = await send(server.origin, "POST", IMPORT_PATH, { token, body: human(`user-${++users}`) });
    expect(answer.status).toBe(200);
  }
}

test("the endpoint has the state of the database, the outbox and the process", async () => {
  const installation = await processes.createInstallation("on");
  const { server, scrape } = await serve(installation, { METRICS_PORT: "0", DATABASE_POOL_SIZE: "7" });
  // Without SMTP_URL, emails stay queued.
  await importUsers(server, installation, 2);
  const samples = await scrape();
  const values = (prefix: string) =>
    Object.fromEntries([...samples].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name, value]));
  expect(calls(samples)).toBe(2);
  expect(values("signet_ready")).toEqual({ signet_ready: 1 });
  expect(values("signet_database_connections")).toMatchObject({
    signet_database_connections_limit: 7,
    'signet_database_connections_in_use{lane="calls"}': expect.any(Number),
    signet_database_connections_idle: expect.any(Number),
  });
  expect(values("signet_database_waiting")).toEqual({
    'signet_database_waiting{lane="calls"}': 0,
    'signet_database_waiting{lane="lists"}': 0,
    'signet_database_waiting{lane="pages"}': 0,
  });
  expect(values("signet_hash_threads")).toEqual({ signet_hash_threads: 1 });
  expect(values("signet_outbox_messages")).toMatchObject({
    'signet_outbox_messages{channel="email",state="waiting"}': 2,
    'signet_outbox_messages{channel="sms",state="waiting"}': 0,
  });
  expect(samples.get('signet_outbox_oldest_seconds{channel="email",state="waiting"}')).toBeGreaterThan(0);
  expect(samples.get("signet_event_loop_delay_seconds_count")).toBeGreaterThan(0);
  expect(samples.get("process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect([...samples.keys()].filter((name) => name.startsWith("signet_build_info{version="))).toHaveLength(1);

  // The endpoint is not on the port of the service.
  expect((await send(server.origin, "GET", "/metrics")).status).toBe(404);
  await server.stop();
});

describe("with --workers", () => {
  test("one endpoint has the sums of all workers, which never decrease", async () => {
    const installation = await processes.createInstallation("workers");
    const { server, scrape } = await serve(installation, { METRICS_PORT: "0" }, ["--workers", "2"]);
    const [first = 0, second = 0] = linesOf(server).flatMap(({ worker }) => worker ?? []);
    // Each request uses a separate connection, and connections go to the workers round-robin.
    await importUsers(server, installation, 6);
    // On a busy machine, a worker can be too late for a scrape.
    const scrapeBoth = () =>
      until("both workers report", async () => {
        const samples = await scrape();
        return samples.get("signet_workers") === 2 && samples;
      });
    const before = await scrapeBoth();
    expect(calls(before)).toBe(6);
    expect(before.get("signet_hash_threads")).toBe(2);
    expect(before.get("signet_ready")).toBe(1);
    expect(before.get("signet_database_connections_limit")).toBe(32);
    expect(before.get('signet_outbox_messages{channel="email",state="waiting"}')).toBe(6);

    const restarted = (count: number) => async () => {
      return linesOf(server).filter(({ msg }) => msg === "worker started").length >= count && scrapeBoth();
    };
    process.kill(first, "SIGKILL");
    await until("the killed worker is replaced", restarted(3));
    expect(calls(await scrapeBoth())).toBe(6);

    await importUsers(server, installation, 4);
    // It reports what it has counted since the last scrape.
    process.kill(second, "SIGTERM");
    await until("the stopped worker is replaced", restarted(4));
    const after = await scrapeBoth();
    expect(calls(after)).toBe(10);
    for (const [name, value] of before) {
      if (/^signet_.*(_total|_count|_sum|_bucket)\b/.test(name)) {
        expect([name, after.get(name)]).toEqual([name, expect.any(Number)]);
        expect(after.get(name)).toBeGreaterThanOrEqual(value);
      }
    }
    expect((await server.stop()).code).toBe(0);
  });
});

test("a port that is in use, or is the port of the service, is an error", async () => {
  const installation = await processes.createInstallation("taken");
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const inUse = await processes.runHere(["serve"], { ...installation.variables, METRICS_PORT: String(port) });
  other.close();
  expect([inUse.code, inUse.stderr]).toEqual([
    1,
    `signet: METRICS_PORT is invalid: port ${port} is already in use on 127.0.0.1\n`,
  ]);
  const same = await processes.runHere(["serve"], { ...installation.variables, PORT: "8099", METRICS_PORT: "8099" });
  expect([same.code, same.stderr]).toEqual([
    1,
    'signet: METRICS_PORT is invalid: expected another port than PORT, got "8099"\n',
  ]);
  const withoutPort = await processes.runHere(["serve"], { ...installation.variables, METRICS_HOST: "127.0.0.1" });
  expect(withoutPort.stderr).toContain("METRICS_PORT is not set: METRICS_HOST requires it");
});
