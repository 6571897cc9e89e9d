import { decodeBase64, decodeText } from "../../fields/bytes.ts";
import { decode, NOT_UTF8 } from "./decode.ts";
import { type InputRecord, LONGEST_RECORD, TOO_LONG } from "./input-record.ts";
import { type Line, readLines } from "./read-lines.ts";

/** The lines of an entry, without its comments. */
interface Entry {
  readonly line: number;
  readonly lines: string[];
  size: number;
  problem?: string;
}

/**
 * Reads the entries of LDIF (RFC 2849). Names are in lower case and without options such as `;lang-en`. An attribute with several
 * values is a list. Bytes that are not text stay in base64, and values behind a URL are not read.
 */
export async function* readLdif(file: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InputRecord[]> {
  let entry: Entry | undefined;
  let isComment = false;
  for await (const lines of readLines(chunks)) {
    yield lines.flatMap(add);
  }
  yield end();

  function add({ number, bytes }: Line): InputRecord[] {
    if (bytes?.length === 0) return end();
    entry ??= { line: number, lines: [], size: 0 };
    entry.size += bytes?.length ?? LONGEST_RECORD;
    if (bytes === undefined || entry.size > LONGEST_RECORD) {
      entry.problem = TOO_LONG;
      entry.lines.length = 0;
    }
    const text = bytes && decode(bytes);
    if (text === undefined) entry.problem ??= NOT_UTF8;
    if (text === undefined || entry.problem !== undefined) return [];
    const isContinued = /^[ \t]/.test(text);
    if (!isContinued) isComment = text.startsWith("#");
    if (isComment) return [];
    if (!isContinued) entry.lines.push(text);
    else if (entry.lines.length === 0) entry.problem = "begins with a continuation";
    else entry.lines.push(`${entry.lines.pop()}${text.slice(1)}`);
    return [];
  }

  function end(): InputRecord[] {
    const ended = entry;
    entry = undefined;
    isComment = false;
    if (ended === undefined) return [];
    if (ended.problem !== undefined) return [{ file, line: ended.line, problem: ended.problem }];
    const lines = ended.lines.filter((line) => !/^version:\s*\d+\s*$/i.test(line));
    return lines.length === 0 ? [] : [{ file, line: ended.line, ...toEntry(lines) }];
  }
}

function toEntry(lines: readonly string[]): Pick<InputRecord, "value" | "problem"> {
  const values = new Map<string, string[]>();
  for (const line of lines) {
    const [, name = "", kind, text = ""] = /^([A-Za-z0-9.-]+)(?:;[^:]*)?:([:<]?) *(.*)$/.exec(line) ?? [];
    const value = kind === ":" ? readBase64(text) : text;
    if (name === "" || value === undefined) return { problem: "is not valid LDIF" };
    if (kind === "<") continue;
    const key = name.toLowerCase();
    const list = values.get(key);
    if (list === undefined) values.set(key, [value]);
    else list.push(value);
  }
  return { value: Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list])) };
}

function readBase64(text: string): string | undefined {
  const bytes = decodeBase64(text.trim());
  return bytes && (decodeText(bytes) ?? text.trim());
}
