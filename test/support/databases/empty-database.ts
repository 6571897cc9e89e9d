import { environment } from "./database.ts";
import { createDatabase, runStatement } from "./postgres.ts";

/** A PostgreSQL database without tables. */
export interface EmptyDatabase {
  readonly url: string;
  readonly name: string;
  /** Runs a statement in the database `postgres` of the same server. */
  outside(statement: string): Promise<void>;
  drop(): Promise<void>;
}

let count = 0;

/** @param template The database to copy: the default has no tables. */
export async function createEmptyDatabase(template = "template1"): Promise<EmptyDatabase> {
  const name = `signet_process_${process.pid}_${++count}`;
  const server = environment("TEST_POSTGRES_URL");
  await createDatabase(server, name, template);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    outside: (statement) => runStatement(server, statement),
    drop: () => runStatement(server, `drop database if exists ${name} with (force)`),
  };
}
