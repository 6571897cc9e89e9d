import { parse } from "csv-parse/sync";
import { ConfigError } from "../../config/config-error.ts";
import { concatBytes } from "./concat-bytes.ts";
import { decode, NOT_UTF8 } from "./decode.ts";
import { type InputRecord, LONGEST_RECORD, TOO_LONG } from "./input-record.ts";
import { type Line, readLines } from "./read-lines.ts";

/** The text of a row, which may have several lines. */
interface RowText {
  readonly line: number;
  readonly raw: Uint8Array | undefined;
  /** Undefined if it is not UTF-8. */
  readonly text: string | undefined;
}

/** Lines of a quoted value. A quote that is never closed would otherwise make the rest of the file one value. */
const MOST_LINES = 1_000;

/**
 * Reads CSV (RFC 4180) with values between commas, semicolons, tabs or bars: the one in a first line such as `sep=;`, which spreadsheets
 * write, otherwise whichever the header has most of. Empty lines and comments before the header, after `# `, are no rows; nor is a
 * comment among the rows, unless it has as many values as a row.
 *
 * @param columns The names of the columns; undefined if the first row has them.
 */
export async function* readCsv(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  columns: readonly string[] | undefined,
): AsyncGenerator<InputRecord[]> {
  let names = columns;
  let header: Uint8Array | undefined;
  let delimiter: string | undefined;
  const isRow = (text: string) =>
    delimiter === undefined || names === undefined || parseRows([text], delimiter)?.[0]?.length === names.length;
  const isReady = () => delimiter !== undefined && names !== undefined;
  for await (const rows of readRows(chunks, isRow, isReady)) {
    const first = rows[0]?.text ?? "";
    if (delimiter === undefined || names === undefined) {
      if (COMMENT.test(first)) continue;
      const given: string | undefined = /^sep=(.)$/i.exec(first)?.[1];
      delimiter ??= given ?? findDelimiter(first);
      if (given !== undefined) continue;
      if (names === undefined) {
        const row = rows.shift();
        header = row?.raw;
        names = readHeader(file, row, delimiter);
      }
    }
    const csv = { header };
    yield toRecords(file, rows, names ?? [], delimiter).map((record) => ({ ...record, csv }));
  }
}

/**
 * Joins lines to rows: a row ends at the end of a line, unless a quote is open. If the lines are no row together, only the first is
 * broken, and the others are read again, so that a wrong quote does not take the lines up to the next one with it.
 */
async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  isRow: (text: string) => boolean,
  isHeaderRead: () => boolean,
): AsyncGenerator<RowText[]> {
  let open: Line[] = [];
  let size = 0;
  for await (const lines of readLines(chunks)) {
    const rows: RowText[] = [];
    for (const line of lines) {
      add(line, rows);
      if (rows.length === 0 || isHeaderRead()) continue;
      // Only the header tells what a row is.
      yield rows.splice(0);
    }
    if (rows.length > 0) yield rows;
  }
  // The quote was never closed. Only the line with it is broken.
  while (open.length > 0) {
    const rows: RowText[] = [];
    giveUp(rows);
    yield rows;
  }

  function add(line: Line, rows: RowText[]): void {
    const isOpen = open.length > 0;
    if (line.bytes === undefined || (!isOpen && line.bytes.length === 0)) {
      while (open.length > 0) giveUp(rows);
      if (line.bytes === undefined) rows.push({ line: line.number, raw: undefined, text: "" });
      return;
    }
    open.push(line);
    size += line.bytes.length;
    const isClosed = hasEvenQuotes(line.bytes) !== isOpen;
    if (isClosed) take(rows);
    else if (open.length > MOST_LINES || size > LONGEST_RECORD) giveUp(rows);
  }

  function take(rows: RowText[]): void {
    const raw = join(open);
    const text = decode(raw);
    if (open.length > 1 && (text === undefined || !isRow(text))) {
      giveUp(rows);
      return;
    }
    rows.push({ line: open[0]?.number ?? 0, raw, text });
    open = [];
    size = 0;
  }

  /** Makes the first line a row of its own, and reads the others again. */
  function giveUp(rows: RowText[]): void {
    const [first, ...others] = open;
    open = [];
    size = 0;
    if (first?.bytes !== undefined) rows.push({ line: first.number, raw: first.bytes, text: decode(first.bytes) });
    for (const other of others) add(other, rows);
  }
}

function join(lines: readonly Line[]): Uint8Array {
  const [only] = lines;
  if (lines.length === 1 && only?.bytes) return only.bytes;
  return concatBytes(lines.flatMap(({ bytes = new Uint8Array() }, n) => (n === 0 ? bytes : [LINE_FEED, bytes])));
}

const COMMENT = /^# /;
const LINE_FEED = Uint8Array.of(0x0a);
const QUOTE = 0x22;

/** Two quotes within a quoted value are one of the value, so only the parity matters. */
function hasEvenQuotes(bytes: Uint8Array): boolean {
  let isEven = true;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) isEven = !isEven;
  return isEven;
}

function findDelimiter(header: string): string {
  const count = (delimiter: string) => header.split(delimiter).length;
  return [",", ";", "\t", "|"].reduce((best, next) => (count(next) > count(best) ? next : best));
}

function readHeader(file: string, row: RowText | undefined, delimiter: string): string[] {
  const names = row?.text === undefined ? undefined : parseRows([row.text], delimiter)?.[0];
  if (names === undefined) throw new ConfigError(`${file}: the first line is not a header in UTF-8`);
  const trimmed = names.map((name) => name.trim());
  const repeated = trimmed.find((name, n) => name !== "" && trimmed.indexOf(name) !== n);
  if (repeated !== undefined) throw new ConfigError(`${file}: the header has the column "${repeated}" twice`);
  return trimmed;
}

function toRecords(file: string, rows: readonly RowText[], names: readonly string[], delimiter: string): InputRecord[] {
  const texts = rows.map(({ text }) => text ?? "");
  // Almost always all rows are valid, and one call for all takes a tenth of the time.
  const parsed = parseRows(texts, delimiter);
  return rows.flatMap(({ line, raw, text }, n): InputRecord | [] => {
    const where = raw === undefined ? { file, line } : { file, line, raw };
    if (raw === undefined) return { ...where, problem: TOO_LONG };
    if (text === undefined) return { ...where, problem: NOT_UTF8 };
    const values = parsed?.[n] ?? parseRows([text], delimiter)?.[0];
    if (values === undefined) return { ...where, problem: "is not valid CSV: a quote is missing or misplaced" };
    if (values.length !== names.length && COMMENT.test(text)) return [];
    if (values.length !== names.length) {
      return { ...where, problem: `has ${values.length} values; expected ${names.length}, one for each column` };
    }
    return { ...where, value: Object.fromEntries(names.flatMap((name, at) => (name ? [[name, values[at]]] : []))) };
  });
}

/** Parses the texts of rows; undefined if one of them is invalid. */
function parseRows(texts: readonly string[], delimiter: string): string[][] | undefined {
  try {
    const rows = parse(texts.join("\n"), { delimiter, relax_column_count: true, record_delimiter: "\n" });
    return rows.length === texts.length ? rows : undefined;
  } catch {
    return undefined;
  }
}
