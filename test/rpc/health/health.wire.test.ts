import { once } from "node:events";
import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import grpc from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import { sql } from "kysely";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../gen/grpc/health/v1/health_pb.js";
import { startService } from "../../support/servers/service.ts";
import { until } from "../../support/until.ts";
import { startHealthAndReflection, type TestHealthAndReflection } from "../health-and-reflection.ts";

type TestResponse = { status: string };

/** The client of the npm package grpc-health-check. */
function openClient(port: number) {
  const Client = grpc.makeGenericClientConstructor(healthService, "Health");
  const client = new Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  return {
    check: (name: string) =>
      new Promise<string | grpc.ServiceError>((resolve) =>
        client.check?.({ service: name }, (error: grpc.ServiceError | null, response: TestResponse) =>
          resolve(error ?? response.status),
        ),
      ),
    watch: (name: string): grpc.ClientReadableStream<TestResponse> => client.watch?.({ service: name }),
    close: () => client.close(),
  };
}

let service: TestHealthAndReflection;
let client: ReturnType<typeof openClient>;
beforeEach(async () => {
  service = await startHealthAndReflection();
  client = openClient(service.port);
});
afterEach(async () => {
  client.close();
  await service.close();
});

test("Check returns whether the server and each service can serve, and Health itself is SERVING without a database", async () => {
  const names = [
    "",
    "signet.v1.AdminService",
    "signet.v1.ManagementService",
    "signet.v1.AuthService",
    "grpc.health.v1.Health",
  ];
  expect(await Promise.all(names.map(client.check))).toEqual(names.map(() => "SERVING"));
  service.isReady = false;
  expect(await Promise.all(names.map(client.check))).toEqual([
    "NOT_SERVING",
    "NOT_SERVING",
    "NOT_SERVING",
    "NOT_SERVING",
    "SERVING",
  ]);
});

test("Check of an unknown service is NOT_FOUND with a reason", async () => {
  const error = await client.check("signet.v1.Nothing");
  expect(error).toMatchObject({
    code: grpc.status.NOT_FOUND,
    details: "service: the server has no service of this name",
  });
});

test("Check, List and Watch work over gRPC, gRPC-Web and Connect, in binary and in JSON", async () => {
  // Not even a response that waits for the end of an idle call arrives.
  const patient = await startHealthAndReflection({ idleMs: 3_600_000 });
  const options = { baseUrl: patient.origin, httpVersion: "2" } as const;
  const transports = [
    createGrpcTransport(options),
    createGrpcTransport({ ...options, useBinaryFormat: false }),
    createGrpcWebTransport({ ...options, httpVersion: "1.1" }),
    createConnectTransport({ ...options, httpVersion: "1.1" }),
    createConnectTransport({ ...options, useBinaryFormat: true }),
  ];
  for (const transport of transports) {
    const health = createClient(Health, transport);
    expect((await health.check({})).status).toBe(Status.SERVING);
    expect(Object.keys((await health.list({})).statuses)).toContain("signet.v1.ManagementService");
    const caller = new AbortController();
    const watched = health.watch({}, { signal: caller.signal })[Symbol.asyncIterator]();
    expect((await watched.next()).value?.status).toBe(Status.SERVING);
    caller.abort();
    await expect(watched.next()).rejects.toThrow("abort");
  }
  await patient.close();
});

test("Watch sends the status immediately and on each change, and ends with UNAVAILABLE when the server drains", async () => {
  const seen: string[] = [];
  const watched = client.watch("signet.v1.ManagementService");
  watched.on("data", ({ status }: TestResponse) => seen.push(status));
  const ended = once(watched, "error");
  await until("the first status", async () => seen.length === 1);
  service.isReady = false;
  await until("the second status", async () => seen.length === 2);
  service.isReady = true;
  await until("the third status", async () => seen.length === 3);
  service.drain();
  const [error] = await ended;
  expect(seen).toEqual(["SERVING", "NOT_SERVING", "SERVING", "NOT_SERVING"]);
  expect(error).toMatchObject({ code: grpc.status.UNAVAILABLE });
  expect(await client.check("")).toBe("NOT_SERVING");
});

test("Watch sends NOT_SERVING and stays open when the service stops being ready before it drains", async () => {
  const rare = await startHealthAndReflection({}, 3_600_000);
  const own = openClient(rare.port);
  const watched = own.watch("");
  expect(await once(watched, "data")).toEqual([{ status: "SERVING" }]);
  rare.isReady = false;
  rare.recheck();
  expect(await once(watched, "data")).toEqual([{ status: "NOT_SERVING" }]);
  expect(watched.destroyed).toBe(false);
  watched.on("error", () => {});
  own.close();
  await rare.close();
});

test("Watch ends with DEADLINE_EXCEEDED when the deadline of the caller passes", async () => {
  const patient = await startHealthAndReflection({ idleMs: 3_600_000 });
  const options = { baseUrl: patient.origin, httpVersion: "2" } as const;
  const transports = [
    createGrpcTransport(options),
    createGrpcWebTransport({ ...options, httpVersion: "1.1" }),
    createConnectTransport({ ...options, httpVersion: "1.1" }),
  ];
  for (const transport of transports) {
    // Not `timeoutMs`, after which the client itself would report the deadline.
    const name = transport === transports[2] ? "connect-timeout-ms" : "grpc-timeout";
    const watch = (ms: number) => {
      const headers = { [name]: name === "grpc-timeout" ? `${ms}m` : `${ms}` };
      return createClient(Health, transport).watch({}, { headers })[Symbol.asyncIterator]();
    };
    const late = {
      code: Code.DeadlineExceeded,
      rawMessage: "the deadline passed before the response was ready",
    };
    // On a busy machine, a short deadline can pass before the first status.
    for (let ms = 50, isServed = false; !isServed; ms *= 2) {
      const watched = watch(ms);
      const first = await watched.next().catch((error: unknown) => error);
      if (first instanceof Error) {
        expect(first).toMatchObject(late);
        continue;
      }
      isServed = true;
      expect(first).toMatchObject({ value: { status: Status.SERVING } });
      await expect(watched.next()).rejects.toMatchObject(late);
    }
  }
  await patient.close();
});

test("Watch stays open with a deadline that is longer than any timer", async () => {
  const options = { baseUrl: service.origin, httpVersion: "1.1" } as const;
  for (const [transport, headers] of [
    [createGrpcWebTransport(options), { "grpc-timeout": "99999999H" }],
    [createConnectTransport(options), { "connect-timeout-ms": "9999999999" }],
  ] as const) {
    const watched = createClient(Health, transport).watch({}, { headers })[Symbol.asyncIterator]();
    expect((await watched.next()).value?.status).toBe(service.isReady ? Status.SERVING : Status.NOT_SERVING);
    const next = watched.next();
    service.isReady = !service.isReady;
    service.recheck();
    expect((await next).value?.status).toBe(service.isReady ? Status.SERVING : Status.NOT_SERVING);
    await watched.return?.(undefined);
  }
});

test("Watch of an unknown service sends SERVICE_UNKNOWN and stays open", async () => {
  const watched = client.watch("signet.v1.Nothing");
  const [{ status }] = await once(watched, "data");
  expect(status).toBe("SERVICE_UNKNOWN");
  expect(await client.check("")).toBe("SERVING");
  expect(watched.destroyed).toBe(false);
  watched.on("error", () => {});
  watched.cancel();
});

test("without a token, a service whose database accepts no writes is NOT_SERVING, like /readyz", async () => {
  const whole = await startService("embedded");
  const health = openClient(whole.port);
  try {
    await until("the service is ready", async () => (await health.check("")) === "SERVING");
    await sql`set default_transaction_read_only = on`.execute(whole.db);
    await until("the service is not ready", async () => (await health.check("")) === "NOT_SERVING");
    expect(await health.check("grpc.health.v1.Health")).toBe("SERVING");
  } finally {
    await sql`set default_transaction_read_only = off`.execute(whole.db);
    health.close();
    await whole.close();
  }
});
