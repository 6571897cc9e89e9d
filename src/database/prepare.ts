import { type Compilable, type CompiledQuery, type Expression, type Kysely, sql } from "kysely";
import { runQuery } from "./run-query.ts";
import type { Tables } from "./tables.ts";

/** A value that is only known when the statement runs, with the PostgreSQL type that it has there. */
export type Param<Values> = <Name extends keyof Values & string>(name: Name, type: SqlType) => Expression<Values[Name]>;

export type SqlType =
  | "uuid"
  | "uuid[]"
  | "text"
  | "text[]"
  | "boolean"
  | "smallint"
  | "bigint"
  | "bytea"
  | "bytea[]"
  | "jsonb"
  | "timestamptz";

/** A compiled statement: takes its values by name and resolves to its rows. */
export type Statement<Values, Row> = (values: Values) => Promise<Row[]>;

/**
 * Builds a query once and compiles it once, so that a call costs neither: 310 µs a call with the query built anew for
 * each, 127 µs compiled once and run by name, both with the token's look-up.
 *
 * The statement is run again once when the database reports a conflict (serialization failure or deadlock).
 *
 * @throws SignetError for every failure of the database; see `toSignetError`.
 */
export function prepareStatement<Values extends object, Row>(
  db: Kysely<Tables>,
  build: (param: Param<Values>) => Compilable<Row>,
): Statement<Values, Row> {
  const compiled = build((name, type) => sql`${new Placeholder(name)}::${sql.raw(type)}`).compile();
  const parameters = compiled.parameters.map((parameter) =>
    parameter instanceof Placeholder ? parameter : new Constant(parameter),
  );
  return async (values) => {
    const bound: CompiledQuery<Row> = {
      ...compiled,
      parameters: parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter.value,
      ),
    };
    return await runQuery(db, bound);
  };
}

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

class Constant {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
