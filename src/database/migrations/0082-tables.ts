import { readFileSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** All tables: see 0082-tables.sql. */
export const tables: Migration = {
  async up(db: Kysely<unknown>) {
    const text = readFileSync(new URL("0082-tables.sql", import.meta.url), "utf8");
    for (const statement of text.split("\n\n")) await sql.raw(statement).execute(db);
  },
};
