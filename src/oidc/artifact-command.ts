import { type RawBuilder, sql } from "kysely";
import { type Columns, createCommandList, isExpectedOnce, type Numbered } from "../database/command-list.ts";
import { prepareListWithoutCaller } from "../database/prepare-list.ts";
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

interface Form {
  /** Whether commands share the statement. */
  readonly isShared: boolean;
  /** The end of each lock. */
  readonly orSkip: RawBuilder<object>;
}

/**
 * Prepares a statement that writes one artifact for each command. Commands that wait share it, whatever their organization.
 *
 * A shared statement locks rows of several users. If it waited for another one meanwhile, it could deadlock with the end of
 * a user's sessions, which locks many rows in another order. So it skips what is locked, and a command that has written
 * nothing runs once more, by itself, and waits. It still waits for a row of which a newer version is being deleted, and for
 * an equal key that another process inserts; the order of the keys is the same in all processes. After a deadlock, the
 * statement runs again (`sendQuery`).
 *
 * @param name What is done, such as `store_artifact`: for metrics and traces.
 * @param write The statement for the rows of `given`. It returns the `number` of each row that it has written.
 */
export function prepareArtifactCommand<Values extends GivenKey>(
  name: string,
  columns: Columns<Values>,
  write: (given: RawBuilder<object>, form: Form) => RawBuilder<Numbered>,
): WriteArtifact<Values> {
  const list = createCommandList<Values>(columns);
  const toKind = (form: Form, toGroup: (values: Values) => string): CommandKind<Values, Numbered> => ({
    name,
    list,
    statement: prepareListWithoutCaller<Values, Numbered>(list, (rows) =>
      write(sql`(select * from ${rows} as given where ${isExpectedOnce} order by kind, key)`, form),
    ),
    toGroup,
    toKeys: ({ kind, key }) => [`${kind} ${key}`],
  });
  const skipping = toKind({ isShared: true, orSkip: sql`skip locked` }, () => "");
  const waiting = toKind({ isShared: false, orSkip: sql`` }, ({ key }) => key);
  return async (runTogether, values) => {
    const written = (await runTogether(skipping, values)) ?? (await runTogether(waiting, values));
    return written !== undefined;
  };
}
