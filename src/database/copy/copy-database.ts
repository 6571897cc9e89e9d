import { type Kysely, sql } from "kysely";
import { ConfigError } from "../../config.ts";
import { isLockTimeout } from "../failure.ts";
import type { Tables } from "../tables.ts";
import { copyRows } from "./copy-rows.ts";
import { type Fingerprint, readFingerprint, useTextFormat } from "./fingerprint.ts";
import { inspectTarget } from "./inspect-target.ts";
import { type CopiedTable, inOrder, readSchema, readSequences } from "./read-schema.ts";

/** The result of a copy. */
interface Copied {
  readonly tables: readonly ({ readonly name: string } & Fingerprint)[];
  /** Whether the target already contained an identical copy of the source, in which case nothing was written. */
  readonly wasComplete: boolean;
}

/** The progress of the copy of a table. */
export interface CopyProgress {
  readonly table: string;
  readonly rows: number;
  readonly total: number;
}

interface CopyOptions {
  readonly onProgress: (progress: CopyProgress) => void;
  /** How long to wait for other transactions on the target. */
  readonly lockTimeoutMs?: number;
  /** Two batches are in memory at a time. */
  readonly batchRows?: number;
}

/**
 * Copies all rows of all tables, and the state of all sequences, in one transaction of the target: however the copy
 * ends, the target contains the whole copy or nothing. Before the commit, the row count and a checksum of each table
 * are compared.
 *
 * The tables come from the catalog of the source, because a list here would miss those of later migrations. Both
 * databases must have no pending migrations, and nothing may write to the source during the copy. The connections must
 * have no time limits.
 *
 * A target that already equals the source is a success: the process may have been killed between the commit and its
 * output.
 *
 * @throws ConfigError if the target is not empty, unless it is equal to the source.
 */
export async function copyDatabase(
  source: Kysely<Tables>,
  target: Kysely<Tables>,
  { onProgress, lockTimeoutMs = 5_000, batchRows = 1_000 }: CopyOptions,
): Promise<Copied> {
  await useTextFormat(source, "session");
  const { id } = await source.selectFrom("instance").select("id").executeTakeFirstOrThrow();
  const tables = inOrder(await readSchema(source));
  return await target.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    // The server ends the transaction if the client's network fails.
    await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(transaction);
    await useTextFormat(transaction, "transaction");
    throwIfDifferent(tables, await readSchema(transaction));
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(transaction);
    await lockTables(transaction, tables);
    const wasComplete = (await inspectTarget(transaction, tables, id)) === "filled";
    const copied: ({ name: string } & Fingerprint)[] = [];
    for (const table of tables) {
      const expected = await readFingerprint(source, table);
      let rows = 0;
      const report = (added: number) => {
        rows += added;
        onProgress({ table: table.name, rows, total: expected.rows });
      };
      if (!wasComplete) await copyRows(source, transaction, table, batchRows, report);
      const got = await readFingerprint(transaction, table);
      if (got.rows !== expected.rows || got.checksum !== expected.checksum) throw differs(table, wasComplete);
      copied.push({ name: table.name, ...expected });
    }
    if (!wasComplete) {
      await copySequences(source, transaction);
      // Without statistics, the first statements would get bad plans.
      await sql`analyze ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(transaction);
    }
    return { tables: copied, wasComplete };
  });
}

/** Other processes cannot write until the transaction ends. */
async function lockTables(target: Kysely<Tables>, tables: readonly CopiedTable[]): Promise<void> {
  try {
    await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(target);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new ConfigError(
      "the target database is in use: another process, such as another copy, has locked its tables",
    );
  }
}

/** Followers continue at their positions, so no position may be assigned twice. */
async function copySequences(source: Kysely<Tables>, target: Kysely<Tables>): Promise<void> {
  for (const { name, next } of await readSequences(source)) {
    // Unlike `setval`, this is part of the transaction.
    await sql`alter sequence ${sql.table(name)} restart with ${sql.raw(String(BigInt(next)))}`.execute(target);
  }
}

function throwIfDifferent(source: readonly CopiedTable[], target: readonly CopiedTable[]): void {
  const describe = (table: CopiedTable | undefined) =>
    JSON.stringify(table?.columns.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  const other = source.find((table) => describe(table) !== describe(target.find(({ name }) => name === table.name)));
  if (other !== undefined) {
    throw new ConfigError(`the target database has no table ${other.name} with the columns of the source`);
  }
}

function differs({ name }: CopiedTable, wasComplete: boolean): Error {
  return wasComplete
    ? new ConfigError(
        `the target database contains this instance already, and the table ${name} differs: expected an empty database`,
      )
    : new Error(`the rows of the table ${name} differ after the copy`);
}
