import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { CopiedTable } from "./read-schema.ts";

/** Identifies the rows of a table: the same in two databases if the rows are equal. */
export interface Fingerprint {
  readonly rows: number;
  /** The sum of 64 bits of each row's MD5 as text. Does not depend on the order of the rows. */
  readonly checksum: string;
}

/** The session must have the settings of `useTextFormat`. */
export async function readFingerprint(db: Kysely<Tables>, { name, columns }: CopiedTable): Promise<Fingerprint> {
  const row = sql.join(columns.map((column) => sql.ref(column.name)));
  const { rows } = await sql<{ rows: string; checksum: string }>`
    select count(*)::text as rows,
      coalesce(sum(('x' || left(md5(row(${row})::text), 16))::bit(64)::bigint::numeric), 0)::text as checksum
    from ${sql.table(name)}`.execute(db);
  return { rows: Number(rows[0]?.rows), checksum: rows[0]?.checksum ?? "" };
}

/** Settings on which the text format of values depends. */
const FORMAT = { TimeZone: "UTC", DateStyle: "ISO", IntervalStyle: "postgres", bytea_output: "hex" };

/** Sets the text format of values for the session, or for the transaction if there is one. */
export async function useTextFormat(db: Kysely<Tables>, scope: "session" | "transaction"): Promise<void> {
  for (const [setting, value] of Object.entries({ ...FORMAT, extra_float_digits: "1" })) {
    await sql`select set_config(${setting}, ${value}, ${scope === "transaction"})`.execute(db);
  }
}
