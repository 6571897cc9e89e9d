import { randomBytes } from "node:crypto";
import { Agent, request as sendHttp } from "node:http";
import { request as sendHttps, Agent as TlsAgent } from "node:https";
import { fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { ImportHumanUserRequestSchema } from "../../gen/signet/v1/management_pb.js";
import { pause } from "./attack.ts";
import { IMPORT_REST, IMPORT_RPC } from "./requests.ts";

export interface CallerOptions {
  readonly port: number;
  readonly token: string;
  /** PEM of the server's certificate, over TLS. */
  readonly certificate: Buffer | undefined;
  /** Also imports a user with a password to hash every two seconds. */
  readonly hasPasswords?: boolean;
  /** Also makes ten calls per second over gRPC and ten over REST, each on a new connection. */
  readonly opensConnections?: boolean;
}

/** `plain` and `password` use the same connections for all calls. */
export type Series = "plain" | "password" | "new connection";

/** The outcomes of the calls due within a period. Times are in milliseconds. */
export interface CallerFigures {
  readonly calls: number;
  readonly failed: number;
  readonly firstFailure: string | undefined;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** A well-behaved caller: 20 imports per second over gRPC and 20 over REST, over separate connections. */
export interface Caller {
  /** The calls due between two times of `performance.now()`, except calls in progress. */
  figures(from: number, to: number, series?: Series): CallerFigures;
  /** Stops making calls, and resolves once all have ended. */
  stop(): Promise<void>;
}

interface Call {
  readonly series: Series;
  readonly dueAt: number;
  readonly ms: number;
  readonly failure: string | undefined;
}

type Send = (user: JsonObject) => Promise<string | undefined>;

const PER_SECOND = 20;
const NEW_CONNECTION_EVERY_MS = 100;
const PASSWORD_EVERY_MS = 2_000;
/** Calls that take longer count as failed. */
const DEADLINE_MS = 10_000;
/** As exported by another system, so that nothing has to be hashed. */
const HASH = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";

export function startCaller(options: CallerOptions): Caller {
  const grpcClient = openGrpc(options);
  const restClient = openRest(options);
  const passwordClient = openRest(options);
  const calls: Call[] = [];
  const pending = new Set<Promise<void>>();
  const prefix = randomBytes(6).toString("hex");
  let isStopped = false;
  let serial = 0;

  function call(send: Send, dueAt: number, series: Series): void {
    const name = `caller-${prefix}-${++serial}`;
    const secret = series === "password" ? { password: `Password-${name}` } : { hashedPassword: { value: HASH } };
    const done = send({ ...humanOf(name), ...secret }).then((failure) => {
      calls.push({ series, dueAt, ms: performance.now() - dueAt, failure });
      pending.delete(done);
    });
    pending.add(done);
  }
  async function repeat(everyMs: number, make: (dueAt: number) => void): Promise<void> {
    const startedAt = performance.now();
    for (let made = 0; !isStopped; made++) {
      // A call is measured from when it was due, so that a slow response does not hide the delay of later calls.
      const dueAt = startedAt + made * everyMs;
      const wait = dueAt - performance.now();
      if (wait > 0) await pause(wait);
      if (!isStopped) make(dueAt);
    }
  }
  const loops = [
    repeat(1_000 / PER_SECOND, (dueAt) => call(grpcClient.send, dueAt, "plain")),
    repeat(1_000 / PER_SECOND, (dueAt) => call(restClient.send, dueAt, "plain")),
    ...(options.hasPasswords
      ? [repeat(PASSWORD_EVERY_MS, (dueAt) => call(passwordClient.send, dueAt, "password"))]
      : []),
    ...(options.opensConnections ? [openGrpc, openRest] : []).map((open) =>
      repeat(NEW_CONNECTION_EVERY_MS, (dueAt) => call(sendOnce(open, options), dueAt, "new connection")),
    ),
  ];

  return {
    figures: (from, to, series = "plain") =>
      toFigures(calls.filter((each) => each.series === series && each.dueAt >= from && each.dueAt < to)),
    async stop() {
      isStopped = true;
      await Promise.all(loops);
      await Promise.all(pending);
      for (const client of [grpcClient, restClient, passwordClient]) client.close();
    },
  };
}

function sendOnce(open: typeof openRest, options: CallerOptions): Send {
  return async (user) => {
    const client = open(options);
    const failure = await client.send(user);
    client.close();
    return failure;
  };
}

/** Imports by a legitimate caller as fast as possible, so that the server's memory use is that of normal work. */
export async function warmUp(options: CallerOptions, count: number): Promise<void> {
  const clients = [openGrpc(options), openRest(options)];
  const prefix = randomBytes(6).toString("hex");
  let made = 0;
  await Promise.all(
    Array.from({ length: 32 }, async (_, index) => {
      while (made < count) {
        const user = { ...humanOf(`warm-${prefix}-${++made}`), hashedPassword: { value: HASH } };
        const failure = await clients[index % 2]?.send(user);
        if (failure !== undefined) throw new Error(`a call before any attack failed: ${failure}`);
      }
    }),
  );
  for (const client of clients) client.close();
}

function humanOf(userName: string): JsonObject {
  return {
    userName,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: `${userName}@example.com`, isEmailVerified: true },
  };
}

function openGrpc({ port, token, certificate }: CallerOptions): { send: Send; close(): void } {
  const credentials =
    certificate === undefined ? grpc.credentials.createInsecure() : grpc.credentials.createSsl(certificate);
  const client = new grpc.Client(`127.0.0.1:${port}`, credentials, {
    "grpc.ssl_target_name_override": "localhost",
    // A new connection, not one left by an earlier caller in this process.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.max_reconnect_backoff_ms": 1_000,
  });
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${token}`);
  return {
    send: (user) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(
          IMPORT_RPC,
          (bytes: Buffer) => bytes,
          (bytes: Buffer) => bytes,
          Buffer.from(toBinary(ImportHumanUserRequestSchema, fromJson(ImportHumanUserRequestSchema, user))),
          metadata,
          { deadline: Date.now() + DEADLINE_MS },
          (error) => resolve(error === null ? undefined : `gRPC ${error.code} ${error.details}`),
        );
      }),
    close: () => client.close(),
  };
}

function openRest({ port, token, certificate }: CallerOptions): { send: Send; close(): void } {
  const limits = { keepAlive: true, maxSockets: 32 };
  const agent = certificate === undefined ? new Agent(limits) : new TlsAgent({ ...limits, ca: certificate });
  const sendRequest = certificate === undefined ? sendHttp : sendHttps;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    send: (user) =>
      new Promise((resolve) => {
        const options = { host: "127.0.0.1", port, method: "POST", path: IMPORT_REST, agent, headers };
        const sent = sendRequest({ ...options, servername: "localhost" });
        const timer = setTimeout(() => sent.destroy(new Error("no answer in time")), DEADLINE_MS);
        const done = (failure: string | undefined) => {
          clearTimeout(timer);
          resolve(failure);
        };
        sent.on("error", (error) => done(`REST ${error.message}`));
        sent.on("response", (response) => {
          response.resume();
          response.on("error", (error) => done(`REST ${error.message}`));
          response.on("end", () => done(response.statusCode === 200 ? undefined : `REST ${response.statusCode}`));
        });
        sent.end(JSON.stringify(user));
      }),
    close: () => agent.destroy(),
  };
}

function toFigures(calls: readonly Call[]): CallerFigures {
  const sorted = calls.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const failures = calls.flatMap(({ failure }) => failure ?? []);
  return {
    calls: calls.length,
    failed: failures.length,
    firstFailure: failures[0],
    p50: at(0.5),
    p99: at(0.99),
    max: sorted.at(-1) ?? 0,
  };
}
