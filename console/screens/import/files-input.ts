import { ConfigError } from "../../../src/config/config-error.ts";
import { readFile } from "../../../src/moving/reading/read-file.ts";
import type { Input } from "../../../src/moving/reading/read-users.ts";
import type { Source } from "../../../src/moving/source.ts";
import { MOST_RECORDS, TooManyRecords } from "./limits.ts";

/** Bytes that are read at once. What is made of them must not keep the page from reacting. */
const CHUNK = 64 * 1024;
/** Records that are given at once. */
const BATCH = 100;
/** Milliseconds without a pause in which the page can react. */
const LONGEST_TURN = 12;

/**
 * Reads files that the person has chosen, with pauses in which the page can react.
 *
 * @param now Milliseconds.
 * @throws ConfigError for a file that cannot be read; TooManyRecords.
 */
export function createFilesInput(files: readonly File[], source: Source, now = () => performance.now()): Input {
  return {
    names: files.map(({ name }) => name),
    async *read() {
      const turn = createTurn(now);
      let count = 0;
      for (const file of files) {
        for await (const records of readFile({ name: file.name, open: () => chunksOf(file) }, source)) {
          count += records.length;
          if (count > MOST_RECORDS) throw new TooManyRecords();
          for (let at = 0; at < records.length; at += BATCH) {
            await turn.pause();
            yield records.slice(at, at + BATCH);
          }
          await turn.pause();
        }
      }
    },
  };
}

/** Lets the page react after each turn. */
function createTurn(now: () => number) {
  let since = now();
  return {
    async pause(): Promise<void> {
      if (now() - since < LONGEST_TURN) return;
      await new Promise((resolve) => setTimeout(resolve));
      since = now();
    },
  };
}

async function* chunksOf(file: File): AsyncGenerator<Uint8Array> {
  const [first, second, third, fourth] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  // The first bytes of zstd and gzip (RFC 8878, section 3.1.1; RFC 1952, section 2.3.1).
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) {
    throw new ConfigError(`cannot read ${file.name}: browsers cannot decompress zstd; decompress it first`);
  }
  const isGzip = first === 0x1f && second === 0x8b;
  const bytes = isGzip ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = bytes.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      for (let at = 0; at < next.value.length; at += CHUNK) yield next.value.subarray(at, at + CHUNK);
    }
  } finally {
    // The rest is not needed, and its errors neither.
    await reader.cancel().catch(() => {});
  }
}
