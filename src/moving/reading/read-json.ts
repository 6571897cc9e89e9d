import { Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import { withoutMark } from "./decode.ts";
import { type InputRecord, toValue } from "./input-record.ts";

/**
 * Reads the items of arrays in a JSON document, or in several that follow each other, such as the pages of a list. Each item is
 * parsed and released before the next one. Objects beside and above the array that precede it are the `context` of its items,
 * without their arrays.
 *
 * A syntax error is the last record, because nothing after it can be read reliably.
 *
 * @param arrays The paths of the arrays. `*` is any key or index.
 */
export async function* readJson(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  arrays: readonly (readonly string[])[],
): AsyncGenerator<InputRecord[]> {
  const reader = createReader(file, arrays);
  let isFirst = true;
  for await (const chunk of chunks) {
    yield reader.read(isFirst ? withoutMark(chunk) : chunk);
    isFirst = false;
    if (reader.hasFailed()) return;
  }
  yield reader.end();
}

function createReader(file: string, arrays: readonly (readonly string[])[]) {
  const tokenizer = new Tokenizer({ separator: "" });
  const parser = new TokenParser({ paths: arrays.map((path) => ["$", ...path, "*"].join(".")), separator: "" });
  const lines = createLineCounter();
  const contexts = new WeakMap<object, Readonly<Record<string, unknown>>>();
  /** The line on which the open container of each depth begins. */
  const starts: number[] = [];
  let depth = 0;
  let failure: string | undefined;
  let records: InputRecord[] = [];

  tokenizer.onToken = (token) => {
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) {
      depth += 1;
      starts[depth] = lines.at(token.offset);
    }
    parser.write(token);
    if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) depth -= 1;
  };
  parser.onValue = ({ value, parent, stack }) => {
    if (!Array.isArray(parent)) return;
    const line = starts[stack.length + 1] ?? lines.current();
    const context = contexts.get(parent) ?? toContext(stack.map((element) => element.value));
    contexts.set(parent, context);
    records.push({ file, line, ...withContext(toValue(value), context) });
    // Otherwise, the array would hold all items in the end.
    parent.length = 0;
  };
  parser.onError = tokenizer.onError = (error) => {
    failure ??= error.message;
  };

  return {
    read(chunk: Uint8Array): InputRecord[] {
      lines.add(chunk);
      tokenizer.write(chunk);
      return take();
    },
    end(): InputRecord[] {
      if (!tokenizer.isEnded) tokenizer.end();
      if (depth > 0) failure ??= "ended early";
      return take();
    },
    hasFailed: () => failure !== undefined,
  };

  function take(): InputRecord[] {
    const taken = records;
    records = [];
    if (failure === undefined) return taken;
    return [...taken, { file, line: lines.current(), problem: "is not valid JSON; nothing after it was read" }];
  }
}

/** The members of the containers above an item, without arrays. */
function toContext(containers: readonly unknown[]): Readonly<Record<string, unknown>> {
  const objects = containers.filter((each) => typeof each === "object" && each !== null && !Array.isArray(each));
  return Object.fromEntries(
    objects.flatMap((each) => Object.entries(each as object)).filter(([, value]) => !Array.isArray(value)),
  );
}

function withContext(read: Pick<InputRecord, "value" | "problem">, context: Readonly<Record<string, unknown>>) {
  const isNeeded = read.value !== undefined && Object.keys(context).length > 0 && !("context" in read.value);
  return isNeeded ? { value: { ...read.value, context } } : read;
}

/** Counts the lines of a file that is read in chunks. */
interface LineCounter {
  /** Adds the next chunk. */
  add(chunk: Uint8Array): void;
  /** Returns the line of a byte of the current chunk. Offsets are those in the file, and never decrease. */
  at(offset: number): number;
  /** The line that was last returned. */
  current(): number;
}

const LINE_FEED = 0x0a;

function createLineCounter(): LineCounter {
  let chunk: Uint8Array = new Uint8Array();
  let chunkAt = 0;
  let counted = 0;
  let line = 1;
  const countTo = (end: number) => {
    for (let at = chunk.indexOf(LINE_FEED, counted); at !== -1 && at < end; at = chunk.indexOf(LINE_FEED, at + 1))
      line += 1;
    counted = Math.max(counted, end);
  };
  return {
    add(next) {
      countTo(chunk.length);
      chunkAt += chunk.length;
      chunk = next;
      counted = 0;
    },
    at(offset) {
      countTo(Math.max(0, offset - chunkAt));
      return line;
    },
    current: () => line,
  };
}
