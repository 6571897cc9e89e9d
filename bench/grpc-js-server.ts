/**
 * The hand-written alternative: a server on @grpc/grpc-js that runs the same two prepared statements per call, without
 * validation, deadlines or logs.
 */
import { createHash, randomUUIDv7 } from "node:crypto";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import pg from "pg";
import { toPhoneNumber, toUserId } from "./data.ts";
import { bindValues, type CapturedOperation, type CapturedStatement, SAMPLE } from "./statements.ts";

interface Request {
  readonly userId?: string;
  readonly phone?: string;
  readonly userName?: string;
  readonly email?: { readonly email?: string };
}

interface Row {
  readonly sequence: string;
  readonly created_at: Date;
  readonly changed_at: Date;
}

const operations = JSON.parse(process.env.BENCH_STATEMENTS ?? "", revive) as Record<
  "phone" | "import",
  CapturedOperation
>;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const definition = loadSync("signet/v1/management.proto", {
  includeDirs: ["proto"],
  longs: String,
});
const server = new grpc.Server();

server.addService(definition["signet.v1.ManagementService"] as grpc.ServiceDefinition, {
  UpdateHumanPhone: unary(operations.phone, ({ userId = "", phone = "" }) => [
    [toUserId(SAMPLE), userId],
    [toPhoneNumber(SAMPLE), phone],
  ]),
  ImportHumanUser: unary(operations.import, ({ userName = "", email }) => [
    [`user-${SAMPLE}@example.com`, email?.email ?? ""],
    [`user-${SAMPLE}`, userName],
    [operations.import.newId ?? "", randomUUIDv7()],
  ]),
});
server.bindAsync(`127.0.0.1:${process.env.PORT}`, grpc.ServerCredentials.createInsecure(), () => {});

/** @param toReplacements Maps captured values to the request's values. */
function unary(operation: CapturedOperation, toReplacements: (request: Request) => [string, string][]) {
  return async (call: grpc.ServerUnaryCall<Request, object>, done: grpc.sendUnaryData<object>) => {
    try {
      const [authorization = ""] = call.metadata.get("authorization");
      const hash = createHash("sha256").update(String(authorization).slice("Bearer ".length)).digest();
      const caller = await run(operation.authorize, [], hash);
      if (caller.rows.length === 0) return done({ code: grpc.status.UNAUTHENTICATED });
      const { rows } = await run(operation.write, toReplacements(call.request), hash);
      const [row] = rows as Row[];
      if (!row?.sequence) return done({ code: grpc.status.NOT_FOUND });
      done(null, {
        details: {
          sequence: row.sequence,
          creationDate: toTimestamp(row.created_at),
          changeDate: toTimestamp(row.changed_at),
          resourceOwner: (caller.rows[0] as { org_id: string }).org_id,
        },
      });
    } catch (error) {
      done({ code: grpc.status.INTERNAL, details: String(error) });
    }
  };
}

function run(statement: CapturedStatement, replacements: [string, string][], hash: Buffer) {
  const { text } = statement;
  // The only binary value is the token's hash.
  const values = bindValues(statement, replacements).map((value) => (value instanceof Uint8Array ? hash : value));
  return pool.query({ name: createName(text), text, values });
}

const names = new Map<string, string>();

/** Restores dates and buffers from JSON. */
function revive(_key: string, value: unknown): unknown {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return new Date(value);
  const isBuffer = typeof value === "object" && value !== null && "type" in value && value.type === "Buffer";
  return isBuffer ? Buffer.from((value as unknown as { data: number[] }).data) : value;
}

function createName(text: string): string {
  const name = names.get(text) ?? `statement_${names.size}`;
  names.set(text, name);
  return name;
}

function toTimestamp(date: Date) {
  return { seconds: Math.floor(date.getTime() / 1_000), nanos: (date.getTime() % 1_000) * 1e6 };
}
