import { type Input, readUsers } from "../../../src/moving/reading/read-users.ts";
import type { Outcome } from "../../../src/moving/report/outcome.ts";
import type { Source } from "../../../src/moving/source.ts";
import { MOST_ROWS } from "./limits.ts";
import type { Report } from "./report.ts";

/** Refused rows of a table, to be corrected in the page. */
export interface RefusedTable {
  readonly columns: readonly string[];
  readonly rows: readonly RefusedRow[];
}

type Refusal = Extract<Outcome, { outcome: "refused" }>;

interface RefusedRow {
  /** The line in its file. */
  readonly line: number;
  readonly problems: Refusal["problems"];
  /** One for each column. */
  readonly values: readonly string[];
}

/** Reads the refused rows; undefined unless the input is one table, and they are few enough for the page. */
export async function readRefusedTable(
  input: Input,
  source: Source,
  { outcomes, finished }: Report,
): Promise<RefusedTable | undefined> {
  const place = (file: string, line: number) => `${file}:${line}`;
  const problems = new Map(
    outcomes.flatMap((each) => (each.outcome === "refused" ? [[place(each.file, each.line), each.problems]] : [])),
  );
  if (input.names.length !== 1 || problems.size > MOST_ROWS) return undefined;
  let columns: string[] | undefined;
  const rows: RefusedRow[] = [];
  let n = -1;
  for await (const records of readUsers(input, source)) {
    for (const { csv, value, file, line } of records) {
      n += 1;
      if (finished.get(n) !== "refused") continue;
      // A row that cannot be read has no values.
      if (csv === undefined || value === undefined) return undefined;
      columns ??= Object.keys(value);
      rows.push({
        line,
        problems: problems.get(place(file, line)) ?? [],
        values: columns.map((column) => String(value[column] ?? "")),
      });
    }
  }
  return columns && { columns, rows };
}
