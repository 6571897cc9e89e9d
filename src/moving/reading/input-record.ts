/** A record of an export: a line of NDJSON, an item of an array, or a row of CSV. */
export interface InputRecord {
  /** The name of the file as it was given. */
  readonly file: string;
  /** The line on which the record begins, from 1. */
  readonly line: number;
  /** Undefined if there is a `problem`. */
  readonly value?: Readonly<Record<string, unknown>>;
  /** Why the record cannot be read, as the end of a sentence about it. */
  readonly problem?: string;
  /** The record as it is in the file, without the end of its line. Undefined in a JSON document, and if it is too long. */
  readonly raw?: Uint8Array;
  /** Present if the record is a row of CSV: the line with the names of the columns, unless the source knows them. */
  readonly csv?: { readonly header: Uint8Array | undefined };
}

/** The most bytes of a record. The largest request that a server accepts by default has 1 MiB. */
export const LONGEST_RECORD = 4 * 1024 * 1024;

export const TOO_LONG = `has more than ${LONGEST_RECORD / 1024 / 1024} MiB`;

/** Returns an object as the value of a record, and the problem of anything else. */
export function toValue(parsed: unknown): Pick<InputRecord, "value" | "problem"> {
  const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  return isObject ? { value: parsed as Record<string, unknown> } : { problem: "is not an object" };
}
