import { sql } from "kysely";
import { connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { startEmbedded } from "../../src/database/embedded.ts";
import type { Tables } from "../../src/database/tables.ts";

/** The ids of the copies are higher than those of real users, because their secrets cannot be decrypted. */
const ID = sql`('ffffffff-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid`;

/**
 * Adds copies of a user with all rows to an embedded database that is not in use, which is faster than importing them.
 */
export async function cloneUser(dataDir: string, userName: string, count: number): Promise<void> {
  const { socketDir, close } = await startEmbedded(dataDir);
  const db = connect({ socketDir }, 1, () => {}, { timeLimits: false });
  const user = await db.selectFrom("users").select("id").where("user_name", "=", userName).executeTakeFirstOrThrow();
  const numbers = sql`generate_series(1, ${sql.lit(count)}) as number`;
  await insert(
    db,
    "users",
    sql`'id', ${ID}, 'user_name', 'clone-' || number, 'user_name_key', 'clone-' || number`,
    sql`${numbers} where t.id = ${user.id}`,
  );
  await insert(db, "codes", sql`'id', ${ID}, 'user_id', ${ID}`, sql`${numbers} where t.user_id = ${user.id}`);
  await insert(
    db,
    "idempotency_keys",
    sql`'key_hash', '\\x' || md5(number::text)`,
    sql`${numbers} where t.key_hash = (select key_hash from idempotency_keys limit 1)`,
  );
  await sql`
    insert into events (owner_id, aggregate_id, sequence, type, editor_id, created_at, payload)
    select owner_id, ${ID}, sequence, type, editor_id, created_at, payload from events, ${numbers}
    where aggregate_id = ${user.id} order by number, sequence`.execute(db);
  await db.destroy();
  await close();
}

/** Copies rows with other values in some columns. */
async function insert(
  db: Database,
  table: keyof Tables,
  values: ReturnType<typeof sql>,
  from: ReturnType<typeof sql>,
): Promise<void> {
  const name = sql.table(table);
  await sql`
    insert into ${name} select (jsonb_populate_record(t, jsonb_build_object(${values}))).*
    from ${name} as t, ${from}`.execute(db);
}
