/**
 * A load generator that runs in a separate process. It is optimized for low CPU use, because it shares the cores with
 * the server that it measures. Reads a `LoadPlan` as JSON from its first argument, and prints a `LoadResult`.
 */
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { connect as connectTcp } from "node:net";
import { fromJson, toBinary } from "@bufbuild/protobuf";
import { ImportHumanUserRequestSchema, UpdateHumanPhoneRequestSchema } from "../gen/signet/v1/management_pb.js";
import { GetUserByIDRequestSchema } from "../gen/signet/v1/user_read_pb.js";
import {
  IMPORT_FORMS,
  type ImportForm,
  toImportRequest,
  toKey,
  toMovedFields,
  toPhoneNumber,
  toUserId,
} from "./data.ts";

export interface LoadPlan {
  readonly port: number;
  /** Used by the calls in turn. */
  readonly tokens: readonly string[];
  readonly operation: "phone" | "import" | "get";
  readonly form: "grpc" | "rest";
  readonly connections: number;
  readonly inFlight: number;
  readonly calls: number;
  /** Users to spread phone changes and reads over. */
  readonly users: number;
  /** The first number of the new phone numbers or users. Numbers must not repeat, or calls would change nothing. */
  readonly firstNumber: number;
  /** Import with this plain-text password instead of a hash. */
  readonly password?: string;
  /** A form of the import, or `sms`, a phone change to a number that is not verified. The default is `plain`. */
  readonly variant?: ImportForm | "sms";
  /** The provider of users with a link. */
  readonly idpId?: string;
  /** Import as `signet users import` does: with a key for repetitions, and the id in the source as metadata and subject. */
  readonly isMove?: boolean;
  /** Calls per second; undefined means as many as possible. */
  readonly rate?: number;
  /** How many of the calls only warm up the load generator, and do not count for `seconds`, `p50` and `p99`. */
  readonly warmUpCalls?: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly failed: number;
  readonly firstFailure: string | undefined;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Seconds of CPU that the load generator used for all calls. */
  readonly cpuSeconds: number;
}

type Send = (index: number) => Promise<string | undefined>;

interface Client {
  readonly send: Send;
  close(): void;
}

const METHODS = {
  phone: { schema: UpdateHumanPhoneRequestSchema, method: "UpdateHumanPhone" },
  import: { schema: ImportHumanUserRequestSchema, method: "ImportHumanUser" },
  get: { schema: GetUserByIDRequestSchema, method: "GetUserByID" },
} as const;

if (import.meta.main) {
  console.log(JSON.stringify(await runPlan(JSON.parse(process.argv[2] ?? "") as LoadPlan)));
  process.exit(0);
}

/** Runs a load in this process. */
export async function runPlan(plan: LoadPlan): Promise<LoadResult> {
  const { send, close } = plan.form === "grpc" ? await openGrpc(plan) : await openRest(plan);
  try {
    return await drive(plan, send);
  } finally {
    close();
  }
}

async function drive({ calls, inFlight, rate, warmUpCalls = 0 }: LoadPlan, send: Send): Promise<LoadResult> {
  const latencies = new Float64Array(calls);
  let next = 0;
  let ended = 0;
  let failed = 0;
  let firstFailure: string | undefined;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let measuredFrom = startedAt;
  let endedAt = startedAt;

  async function call(index: number, from: number): Promise<void> {
    const failure = await send(index);
    endedAt = performance.now();
    latencies[index] = endedAt - from;
    ended += 1;
    if (ended === warmUpCalls) measuredFrom = endedAt;
    if (failure === undefined) return;
    failed += 1;
    firstFailure ??= failure;
  }
  if (rate === undefined) {
    const runner = async () => {
      while (next < calls) await call(next++, performance.now());
    };
    await Promise.all(Array.from({ length: inFlight }, runner));
  } else {
    // At a fixed rate, latency is measured from when the call was due, which avoids coordinated omission.
    const pending: Promise<void>[] = [];
    while (next < calls) {
      const due = startedAt + (next * 1_000) / rate;
      const wait = due - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      pending.push(call(next++, due));
    }
    await Promise.all(pending);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const sorted = latencies.subarray(warmUpCalls).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const seconds = (endedAt - measuredFrom) / 1_000;
  return { seconds, failed, firstFailure, p50: at(0.5), p99: at(0.99), cpuSeconds: (user + system) / 1e6 };
}

/** Returns a request in JSON by its number. */
function toRequest(plan: LoadPlan, index: number): Record<string, unknown> {
  const { variant = "plain", idpId = "" } = plan;
  if (plan.operation === "import") {
    const number = plan.firstNumber + index;
    const request = { ...toImportRequest(number, plan.password), ...(plan.isMove === true && toMovedFields(number)) };
    return variant === "sms" ? request : { ...request, ...IMPORT_FORMS[variant](number, idpId) };
  }
  if (plan.operation === "get") return { id: toUserId(index % plan.users) };
  return {
    userId: toUserId(index % plan.users),
    phone: toPhoneNumber(plan.firstNumber + index),
    isPhoneVerified: variant !== "sms",
  };
}

async function openGrpc(plan: LoadPlan): Promise<Client> {
  const { port, tokens, operation, connections } = plan;
  const sessions: ClientHttp2Session[] = await Promise.all(
    Array.from({ length: connections }, async () => {
      const session = connectHttp2(`http://127.0.0.1:${port}`);
      await new Promise((resolve, reject) => session.once("connect", resolve).once("error", reject));
      return session;
    }),
  );
  const { schema, method } = METHODS[operation];
  const headers = tokens.map((token) => ({
    ":method": "POST",
    ":path": `/signet.v1.ManagementService/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${token}`,
  }));
  const send: Send = (index) =>
    new Promise((resolve) => {
      const payload = toBinary(
        schema as typeof UpdateHumanPhoneRequestSchema,
        fromJson(schema, toRequest(plan, index) as never) as never,
      );
      const frame = Buffer.allocUnsafe(5 + payload.length);
      frame[0] = 0;
      frame.writeUInt32BE(payload.length, 1);
      frame.set(payload, 5);
      const shared = headers[index % headers.length];
      const own = plan.isMove ? { ...shared, "idempotency-key": toKey(plan.firstNumber + index) } : shared;
      const stream = (sessions[index % connections] as ClientHttp2Session).request(own);
      let trailers: IncomingHttpHeaders = {};
      stream.on("response", (response) => {
        trailers = response;
      });
      stream.on("trailers", (received) => {
        trailers = received;
      });
      stream.on("data", () => {});
      stream.on("error", (error) => resolve(error.message));
      stream.on("close", () => {
        const { "grpc-status": status = "none", "grpc-message": message = "" } = trailers;
        resolve(status === "0" ? undefined : `grpc-status ${status} ${message}`);
      });
      stream.end(frame);
    });
  return {
    send,
    close() {
      for (const session of sessions) session.close();
    },
  };
}

/** HTTP/1.1 needs one connection per in-flight call. */
async function openRest(plan: LoadPlan): Promise<Client> {
  const { port, tokens, operation, inFlight } = plan;
  const connections = await Promise.all(Array.from({ length: inFlight }, () => openHttp1(port)));
  const idle = [...connections];
  const send: Send = async (index) => {
    const connection = idle.pop();
    if (connection === undefined) throw new Error("no connection is idle");
    const { userId, ...rest } = toRequest(plan, index);
    const body = JSON.stringify(operation === "import" ? { userId, ...rest } : rest);
    const line =
      operation === "import" ? "POST /management/v1/users/human/_import" : `PUT /management/v1/users/${userId}/phone`;
    const status = await connection.ask(
      `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tokens[index % tokens.length]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    idle.push(connection);
    return status === "200" ? undefined : `HTTP ${status}`;
  };
  return {
    send,
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

/** One request at a time; `ask` resolves to the status. */
interface Http1Connection {
  ask(request: string): Promise<string>;
  close(): void;
}

async function openHttp1(port: number): Promise<Http1Connection> {
  const socket = connectTcp({ port, host: "127.0.0.1", noDelay: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let text = "";
  let done: (status: string) => void = () => {};
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? Number.NaN);
    if (end < 0 || text.length < end + 4 + length) return;
    const status = text.slice(9, 12);
    text = "";
    done(status);
  });
  socket.on("close", () => done("closed"));
  return {
    ask: (request) =>
      new Promise((resolve) => {
        done = resolve;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
