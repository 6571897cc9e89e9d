import type { Source } from "../source.ts";
import type { WorkIndex } from "../work-index.ts";
import type { InputRecord } from "./input-record.ts";

/** An export, which can be read several times. */
export interface Input {
  /** The names of its files, for reports. */
  readonly names: readonly string[];
  /**
   * Reads the records of all files, in order.
   *
   * @throws ConfigError for a file that cannot be read.
   */
  read(): AsyncIterable<readonly InputRecord[]>;
}

/** What the records beside those of the users say, such as those of a second file with the passwords. */
export interface JoinedRecords {
  /** Returns the values of a user; undefined if there are none. */
  find(sourceId: string): Readonly<Record<string, unknown>> | undefined;
  readonly count: number;
}

/** Reads the records of users only. */
export async function* readUsers(input: Input, source: Source): AsyncGenerator<readonly InputRecord[]> {
  const { secondFile } = source;
  for await (const records of input.read()) {
    yield secondFile === undefined
      ? records
      : records.filter(({ value }) => value === undefined || secondFile(value) === undefined);
  }
}

/**
 * Reads the records that belong to users into the index.
 *
 * @returns Undefined if exports of the source have none.
 */
export async function joinRecords(input: Input, source: Source, index: WorkIndex): Promise<JoinedRecords | undefined> {
  const { secondFile } = source;
  if (secondFile === undefined) return undefined;
  let count = 0;
  for await (const records of input.read()) {
    for (const { value } of records) {
      const joined = value && secondFile(value);
      if (joined === undefined) continue;
      index.addValues("joined", joined.id, JSON.stringify(joined.values));
      count += 1;
    }
  }
  if (count === 0) return undefined;
  return {
    count,
    find(sourceId) {
      const found = index.findValues("joined", sourceId);
      return found.length === 0 ? undefined : Object.assign({}, ...found.map((values) => JSON.parse(values)));
    },
  };
}
