import { CompiledQuery, type Kysely } from "kysely";
import type { Query } from "../../../src/database/database.ts";
import type { Tables } from "../../../src/database/tables.ts";

/** A node of EXPLAIN (ANALYZE, FORMAT JSON). */
interface Plan {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Plan[];
}

/**
 * How many rows the database reads for a statement, in tables and indexes, including those that it discards. Unlike its
 * duration, this does not depend on the machine. Changes nothing.
 */
export async function countRowsRead(db: Kysely<Tables>, { sql, parameters }: Query): Promise<number> {
  const explained = CompiledQuery.raw(`explain (analyze, timing off, format json) ${sql}`, [...parameters]);
  const transaction = await db.startTransaction().execute();
  try {
    const { rows } = await transaction.executeQuery<{ "QUERY PLAN": [{ Plan: Plan }] }>(explained);
    return rows[0] === undefined ? 0 : rowsOf(rows[0]["QUERY PLAN"][0].Plan);
  } finally {
    await transaction.rollback().execute();
  }
}

function rowsOf(plan: Plan): number {
  const inner = (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);
  if (!plan["Node Type"].includes("Scan") || plan["Node Type"] === "Subquery Scan") return inner;
  const discarded = (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0);
  return inner + (plan["Actual Rows"] + discarded) * plan["Actual Loops"];
}
