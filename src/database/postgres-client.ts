import pg from "pg";
import { endsConnection } from "./failure.ts";
import { statementName } from "./statement-names.ts";

/** Options of `pg.Pool` reach its clients. */
export interface PostgresClientConfig extends pg.ClientConfig {
  /** Whether the statements of `prepareStatement` have names. */
  readonly prepared?: boolean;
}

/**
 * A client that names the statements of `prepareStatement`, so that PostgreSQL parses and plans each of them once per
 * connection, and detects that its connection must not be used again.
 */
export class PostgresClient extends pg.Client {
  readonly #prepared: boolean;
  /** Whether the pool must close the connection instead of keeping it. */
  isSpent = false;

  constructor(config?: PostgresClientConfig) {
    super(config);
    this.#prepared = config?.prepared ?? true;
  }

  // `query` has eight overloads. Only the form that Kysely uses is changed.
  // biome-ignore lint/suspicious/noExplicitAny: TypeScript cannot distinguish the overloads here
  override query(text: any, values?: any, callback?: any): any {
    const isKyselys = typeof text === "string" && Array.isArray(values) && callback === undefined;
    if (!isKyselys) return super.query(text, values, callback);
    const name = this.#prepared && values.length > 0 ? statementName(text) : undefined;
    return name === undefined
      ? super.query(text, values).catch((error) => this.#note(error))
      : super.query({ name, text, values }).catch((error) => this.#runAgain(error, text, values));
  }

  /** A migration has changed a table of a prepared statement. The statement was not run. */
  #runAgain(error: unknown, text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (!isOutdatedPlan(error)) return this.#note(error);
    this.isSpent = true;
    return super.query(text, values).catch((second) => this.#note(second));
  }

  #note(error: unknown): never {
    if (endsConnection(error)) this.isSpent = true;
    throw error;
  }
}

/** PostgreSQL, `RevalidateCachedQuery`: "cached plan must not change result type". */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}
