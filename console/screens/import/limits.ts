/** What the page takes at most, because it keeps everything in memory. The command has no limits. */
export const MOST_BYTES = 200 * 1024 * 1024;
export const MOST_RECORDS = 200_000;

/** Rows of a table; the others are in the file. */
export const MOST_ROWS = 100;

/** Calls at once. Browsers make six over HTTP/1.1. */
export const AT_ONCE = 8;

/** Thrown for files with more records than the page takes. */
export class TooManyRecords extends Error {}
