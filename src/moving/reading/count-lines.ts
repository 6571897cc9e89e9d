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

export function createLineCounter(): LineCounter {
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
