import type { Compilable, Kysely, SelectQueryBuilder } from "kysely";
import { type Columns, createCommandList, isExpectedOnce, type Numbered } from "./command-list.ts";
import { prepareListRead } from "./prepare-list.ts";
import type { CommandKind } from "./run-together.ts";
import type { Tables } from "./tables.ts";

/** The values to look up, as the rows of a table. */
type Asked<Values> = SelectQueryBuilder<Tables & { asked: Values & Numbered }, "asked", Numbered>;

/**
 * Prepares a look-up that many callers make at once. Those that wait share a statement, and equal ones a row (see
 * `createRunTogether`).
 *
 * @param name What is looked up, such as `find_app`: for metrics and traces.
 * @param columns The values to look up, with their types. Values that differ only in the time of the call are equal.
 * @param build Returns at most one row for each row of `asked`.
 * @param toGroup The organization, if look-ups of several must not share a statement.
 */
export function prepareLookUp<Values extends object, Row>(
  name: string,
  columns: Columns<Values>,
  build: (asked: Asked<Values>, db: Kysely<Tables>) => Compilable<unknown>,
  toGroup: (values: Values) => string = () => "",
): CommandKind<Values, Row> {
  const list = createCommandList<Values>(columns);
  return {
    name,
    list,
    statement: prepareListRead<Values, Row & Numbered>(list, (db, rows) => {
      const withAsked = db.with("asked", () => rows) as unknown as Kysely<Tables & { asked: Numbered }>;
      const asked = withAsked.selectFrom("asked").select("asked.number").where(isExpectedOnce);
      return build(asked as unknown as Asked<Values>, db) as Compilable<Row & Numbered>;
    }),
    toGroup,
    toKeys: (values) => [JSON.stringify(Object.values(values).filter((value) => !(value instanceof Date)))],
    isReading: true,
  };
}
