import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import pg from "pg";
import { ListUsersRequestSchema } from "../gen/signet/v1/user_read_pb.js";
import { createId } from "../src/crypto/secrets.ts";
import { connect } from "../src/database/connection.ts";
import { toUserSearch } from "../src/rpc/requests/user.ts";
import { listUsers } from "../src/users/read/list-users.ts";
import { watchQueries } from "../test/support/databases/database.ts";
import { createPrincipalCall } from "../test/support/operations/principal.ts";

/**
 * How many rows PostgreSQL reads for a ListUsersRequest in JSON, in tables and indexes, including rows that it
 * discards.
 */
export async function countRowsRead(url: string, orgId: string, json: object): Promise<number> {
  const sent: { text: string; values: unknown[] }[] = [];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = watchQueries(
    connect({ url }, 1, () => {}),
    ({ sql, parameters }) => {
      sent.push({ text: sql, values: [...parameters] });
    },
  );
  const call = createPrincipalCall({ orgId, userId: createId(), instanceId: createId() });
  const problems = {
    add(field: string, description: string) {
      throw new Error(`${field}: ${description}`);
    },
  };
  const search = toUserSearch(fromJson(ListUsersRequestSchema, json as JsonObject), problems, ListUsersRequestSchema);
  await listUsers({ db, clock: () => new Date() }, search, call);
  const [statement] = sent;
  if (statement === undefined) throw new Error("no statement was sent");
  const { rows } = await pool.query(`explain (analyze, format json) ${statement.text}`, statement.values);
  await db.destroy();
  await pool.end();
  return rowsOf(rows[0]["QUERY PLAN"][0].Plan);
}

interface Plan {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Plan[];
}

function rowsOf(plan: Plan): number {
  const inner = (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);
  if (!plan["Node Type"].includes("Scan") || plan["Node Type"] === "Subquery Scan") return inner;
  const dropped = (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0);
  return inner + (plan["Actual Rows"] + dropped) * plan["Actual Loops"];
}
