/**
 * The minimum that a user could write by hand: @grpc/grpc-js, the lookup of a token's SHA-256 by primary key, and one
 * statement that inserts a user and an event with four text columns each. No roles, rules, deadline or log.
 */
import { createHash, randomUUIDv7 } from "node:crypto";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import pg from "pg";

/** The tables of this server, with one token. */
export const MINIMAL_TABLES = `
  create table if not exists minimal_tokens (hash bytea primary key, owner text not null);
  create table if not exists minimal_users (id text primary key, name text not null, email text not null, owner text not null);
  create table if not exists minimal_events (id text primary key, type text not null, payload text not null, editor text not null)`;

const LOOK_UP = "select owner from minimal_tokens where hash = $1";
const INSERT = `
  with inserted as (insert into minimal_users (id, name, email, owner) values ($1, $2, $3, $4) returning id)
  insert into minimal_events (id, type, payload, editor) select id, 'user.added', $5, $4 from inserted`;

interface Request {
  readonly userId?: string;
  readonly phone?: string;
  readonly userName?: string;
  readonly email?: { readonly email?: string };
}

if (import.meta.main) {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
  const definition = loadSync("signet/v1/management.proto", { includeDirs: ["proto"], longs: String });
  const server = new grpc.Server();
  const response = async (call: grpc.ServerUnaryCall<Request, object>, done: grpc.sendUnaryData<object>) => {
    try {
      const [authorization = ""] = call.metadata.get("authorization");
      const hash = createHash("sha256").update(String(authorization).slice("Bearer ".length)).digest();
      const { rows } = await pool.query({ name: "look_up", text: LOOK_UP, values: [hash] });
      if (rows.length === 0) return done({ code: grpc.status.UNAUTHENTICATED });
      const { request } = call;
      const [id, owner] = [randomUUIDv7(), rows[0].owner as string];
      const name = request.userName ?? request.phone ?? "";
      const values = [id, name, request.email?.email ?? "", owner, JSON.stringify(request)];
      await pool.query({ name: "insert", text: INSERT, values });
      const now = Date.now();
      const at = { seconds: Math.floor(now / 1_000), nanos: (now % 1_000) * 1e6 };
      done(null, { details: { sequence: "1", creationDate: at, changeDate: at, resourceOwner: owner } });
    } catch (error) {
      done({ code: grpc.status.INTERNAL, details: String(error) });
    }
  };
  server.addService(definition["signet.v1.ManagementService"] as grpc.ServiceDefinition, {
    UpdateHumanPhone: response,
    ImportHumanUser: response,
  });
  server.bindAsync(`127.0.0.1:${process.env.PORT}`, grpc.ServerCredentials.createInsecure(), () => {});
}
