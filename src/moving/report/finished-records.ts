/** Which records of a run have an outcome: one byte for each. */
export interface FinishedRecords {
  get(n: number): "done" | "refused" | undefined;
  set(n: number, outcome: "done" | "refused"): void;
  readonly size: number;
}

const STATES = [undefined, "done", "refused"] as const;

export function createFinishedRecords(): FinishedRecords {
  let bytes = new Uint8Array(64 * 1024);
  let size = 0;
  return {
    get: (n) => STATES[bytes[n] ?? 0],
    set(n, outcome) {
      if (n >= bytes.length) {
        const larger = new Uint8Array(Math.max(n + 1, bytes.length * 2));
        larger.set(bytes);
        bytes = larger;
      }
      if (bytes[n] === 0) size += 1;
      bytes[n] = outcome === "done" ? 1 : 2;
    },
    get size() {
      return size;
    },
  };
}
