import type { RefusedTable } from "./refused-table.ts";

/** Returns the table as CSV (RFC 4180). */
export function toCsv(name: string, { columns, rows }: RefusedTable): File {
  const toLine = (values: readonly string[]) => values.map((value) => `"${value.replaceAll('"', '""')}"`).join(",");
  const lines = [columns, ...rows.map(({ values }) => values)].map((values) => `${toLine(values)}\n`);
  return new File(lines, name, { type: "text/csv" });
}
