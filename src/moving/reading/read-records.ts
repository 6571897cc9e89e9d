import type { Source } from "../source.ts";
import type { InputRecord } from "./input-record.ts";
import { openFile } from "./open-file.ts";
import { readFile } from "./read-file.ts";

/** A file to read. */
export interface InputFile {
  /** The name as it was given, for reports. */
  readonly name: string;
  readonly path: string;
}

/**
 * Reads the records of files, in order, with constant memory. See `readFile`.
 *
 * @throws ConfigError for a file that cannot be opened or has another encoding.
 */
export async function* readRecords(files: readonly InputFile[], source: Source): AsyncGenerator<InputRecord[]> {
  for (const { name, path } of files) yield* readFile({ name, open: () => openFile(path) }, source);
}
