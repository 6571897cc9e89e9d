import { type RawBuilder, sql } from "kysely";
import { type Columns, createCommandList, isExpectedOnce, type Numbered } from "../database/command-list.ts";
import { prepareListOfOwn } from "../database/prepare-list.ts";
import type { CommandKind, RunTogether } from "../database/run-together.ts";

/** The primary key of an artifact, in a list of commands. */
export interface GivenKey {
  /** The model of oidc-provider. */
  kind: string;
  /** Created by `bytesToText`. */
  key: string;
}

/** Writes an artifact. Returns false if nothing was written. */
type WriteArtifact<Values> = (runTogether: RunTogether, values: Values) => Promise<boolean>;

/**
 * Prepares a statement that writes one artifact for each command. Commands that wait share it.
 *
 * A shared statement locks the rows of several users, so it must not wait for a row while it does: the end of a user's
 * sessions locks many rows, too, in another order. It skips what is locked, and a command that has written nothing runs once
 * more, by itself, which waits. (PostgreSQL does not skip a row of which a newer version is being deleted. Should that cause
 * a deadlock, one of the statements runs again.)
 *
 * @param name What is done, such as `store_artifact`: for metrics and traces.
 * @param write The statement for the rows of `given`. It returns the `number` of each row that it has written. Each of its
 *   locks ends with `orSkip`.
 */
export function prepareArtifactCommand<Values extends GivenKey>(
  name: string,
  columns: Columns<Values>,
  write: (given: RawBuilder<object>, orSkip: RawBuilder<object>) => RawBuilder<Numbered>,
): WriteArtifact<Values> {
  const list = createCommandList<Values>(columns);
  const toKind = (orSkip: RawBuilder<object>, toGroup: (values: Values) => string): CommandKind<Values, Numbered> => {
    const statement = prepareListOfOwn<Values, Numbered>(list, (rows) =>
      write(sql`(select * from ${rows} as given where ${isExpectedOnce} order by kind, key)`, orSkip),
    );
    return { ...{ name, list, statement, toGroup }, toKeys: ({ kind, key }) => [`${kind} ${key}`] };
  };
  const together = toKind(sql`skip locked`, () => "");
  const alone = toKind(sql``, ({ key }) => key);
  return async (runTogether, values) => {
    const written = (await runTogether(together, values)) ?? (await runTogether(alone, values));
    return written !== undefined;
  };
}
