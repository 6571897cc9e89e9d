import { type Kysely, PostgresAdapter, PostgresDialect, sql } from "kysely";

/** The advisory lock of migrations, with the number of Kysely's own lock, which earlier versions used. */
export const MIGRATION_LOCK = sql.lit(3853314791062309107n);

/** The PostgreSQL dialect of Kysely, except that the lock of migrations ends with the transaction. */
export class SignetDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new TransactionLockAdapter();
  }
}

/** A session lock would outlive the transaction, and behind a pooler, another client may get the session. */
class TransactionLockAdapter extends PostgresAdapter {
  // biome-ignore lint/suspicious/noExplicitAny: the type of the overridden method
  override async acquireMigrationLock(db: Kysely<any>): Promise<void> {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(db);
  }

  override async releaseMigrationLock(): Promise<void> {}
}
