/**
 * The hand-written alternative for GetUserByID: a server on @grpc/grpc-js that runs two prepared statements per call,
 * the lookup of the caller and of the user, without validation, deadlines or logs.
 */
import { createHash } from "node:crypto";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import pg from "pg";
import { FIND_PRINCIPAL } from "./statements.ts";

const FIND_USER = `
  select id, kind, sequence, created_at, changed_at, user_name, first_name, last_name, nick_name, display_name,
    preferred_language, gender, email, email_verified, phone, phone_verified, password_changed_at,
    case when state = 'inactive' then 2 when state = 'locked' then 4 when not initialized then 6 else 1 end as state
  from users where org_id = $1::uuid and id = $2::uuid`;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const definition = loadSync("signet/v1/management.proto", { includeDirs: ["proto"], longs: String });
const server = new grpc.Server();

server.addService(definition["signet.v1.ManagementService"] as grpc.ServiceDefinition, {
  async GetUserByID(call: grpc.ServerUnaryCall<{ id: string }, object>, done: grpc.sendUnaryData<object>) {
    try {
      const [authorization = ""] = call.metadata.get("authorization");
      const hash = createHash("sha256").update(String(authorization).slice("Bearer ".length)).digest();
      const caller = await pool.query({ name: "caller", text: FIND_PRINCIPAL, values: [hash, new Date()] });
      if (caller.rows.length === 0) return done({ code: grpc.status.UNAUTHENTICATED });
      const { org_id: orgId } = caller.rows[0];
      const { rows } = await pool.query({ name: "user", text: FIND_USER, values: [orgId, call.request.id] });
      const [row] = rows;
      if (row === undefined) return done({ code: grpc.status.NOT_FOUND });
      done(null, { user: toUser(row, orgId) });
    } catch (error) {
      done({ code: grpc.status.INTERNAL, details: String(error) });
    }
  },
});
server.bindAsync(`127.0.0.1:${process.env.PORT}`, grpc.ServerCredentials.createInsecure(), () => {});

// biome-ignore lint/suspicious/noExplicitAny: a row as pg returns it
function toUser(row: any, resourceOwner: string) {
  return {
    id: row.id,
    details: {
      sequence: row.sequence,
      creationDate: toTimestamp(row.created_at),
      changeDate: toTimestamp(row.changed_at),
      resourceOwner,
    },
    state: row.state,
    userName: row.user_name,
    loginNames: [row.user_name],
    preferredLoginName: row.user_name,
    human: {
      profile: {
        firstName: row.first_name,
        lastName: row.last_name,
        nickName: row.nick_name ?? "",
        displayName: row.display_name,
        preferredLanguage: row.preferred_language ?? "",
        gender: row.gender,
      },
      email: { email: row.email, isEmailVerified: row.email_verified },
      ...(row.phone !== null && { phone: { phone: row.phone, isPhoneVerified: row.phone_verified } }),
      ...(row.password_changed_at !== null && { passwordChanged: toTimestamp(row.password_changed_at) }),
    },
  };
}

function toTimestamp(date: Date) {
  return { seconds: Math.floor(date.getTime() / 1_000), nanos: (date.getTime() % 1_000) * 1e6 };
}
