/** What an import has to remember of all records while it runs. */
export interface WorkIndex {
  /**
   * Remembers that a record has a value that must not occur twice.
   *
   * @returns The place of the first record with the value; undefined if this is the first one.
   */
  claim(kind: string, value: string, place: Place): Place | undefined;
  /** Adds values to those of a key. A kind is one word, and has keys of its own. */
  addValues(kind: string, key: string | number, values: string): void;
  /** All values of a key, in the order in which they were added. */
  findValues(kind: string, key: string | number): string[];
  /** Releases what the index takes. */
  close(): void;
}

/** A line of a file. */
export interface Place {
  /** The number of the file in the input, from 0. */
  readonly file: number;
  readonly line: number;
}
