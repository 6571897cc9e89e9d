/** What an import has to remember of all records while it runs. */
export interface WorkIndex {
  /**
   * Remembers that a record has a value that must not occur twice.
   *
   * @returns The place of the first record with the value; undefined if this is the first one.
   */
  claim(kind: string, value: string, place: Place): Place | undefined;
  /** Adds values to those of a user. */
  addValues(id: string, values: string): void;
  /** All values of a user, in the order in which they were added. */
  findValues(id: string): string[];
  /** Releases what the index takes. */
  close(): void;
}

/** A line of a file. */
export interface Place {
  /** The number of the file in the input, from 0. */
  readonly file: number;
  readonly line: number;
}
