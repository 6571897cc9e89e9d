import type { SpanAttributes } from "../telemetry/span.ts";

/** Describes a statement for a span: its operations and tables, without its text. */
export interface StatementSummary {
  /** Such as `UPDATE users INSERT events`. */
  readonly name: string;
  readonly attributes: SpanAttributes;
}

/** OpenTelemetry's conventions for databases: `db.query.summary` has at most 255 characters. */
const LONGEST = 255;

export function summarize(sql: string): StatementSummary {
  const operations = findChanges(sql);
  if (operations.length === 0) operations.push(["SELECT", ...findTables(sql)].join(" "));
  const name = operations.join(" ").slice(0, LONGEST);
  return {
    name,
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": name.split(" ", 1)[0],
      "db.query.summary": name,
    },
  };
}

/** Such as `INSERT events`, each once, in the order of the text. */
function findChanges(sql: string): string[] {
  const changes = sql.matchAll(/\b(insert\s+into|update|delete\s+from)\s+"?([a-z_]+)"?/g);
  const found = [...changes].map(([, verb = "", table]) => `${verb.split(/\s/, 1)[0]?.toUpperCase()} ${table}`);
  // `for update of users` and `on conflict … do update set` do not change anything themselves.
  return [...new Set(found)].filter((change) => !/ (of|set|skip|nowait)$/.test(change));
}

/** The tables that a query reads, without its common table expressions. */
function findTables(sql: string): string[] {
  const parts = new Set(
    [...sql.matchAll(/"?([a-z_]+)"?(?:\s*\([^()]*\))? as (?:not )?(?:materialized )?\(/g)].map(([, name]) => name),
  );
  const read = [...sql.matchAll(/\b(?:from|join)\s+"?([a-z_]+)\b"?(?!\s*\(|\s+from\b)/g)].map(([, name = ""]) => name);
  return [...new Set(read)].filter((name) => !parts.has(name));
}
