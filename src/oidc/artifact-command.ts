import { type RawBuilder, sql } from "kysely";
import { type Columns, createCommandList, isExpectedOnce, type Numbered } from "../database/command-list.ts";
import { prepareList } from "../database/prepare-list.ts";
import type { CommandKind } from "../database/run-together.ts";

/** The primary key of an artifact, in a list of commands. */
export interface GivenKey {
  /** The model of oidc-provider. */
  kind: string;
  /** Created by `bytesToText`. */
  key: string;
}

/**
 * Prepares a statement that writes one artifact for each command. Commands for different artifacts that wait share a
 * statement.
 *
 * @param name What is done, such as `store_artifact`: for metrics and traces.
 * @param write The statement for the given rows, which are in the order of their keys, so that processes lock artifacts in
 *   the same order. It returns the `number` of each row that it has written.
 */
export function prepareArtifactCommand<Values extends GivenKey>(
  name: string,
  columns: Columns<Values>,
  write: (given: RawBuilder<object>) => RawBuilder<Numbered>,
): CommandKind<Values, Numbered> {
  const list = createCommandList<Values>(columns);
  const statement = prepareList<Values, Numbered>(list, (_db, rows) =>
    write(sql`(select * from ${rows} as given where ${isExpectedOnce} order by kind, key)`),
  );
  return { ...{ name, list, statement }, toGroup: () => "", toKeys: ({ kind, key }) => [`${kind} ${key}`] };
}
