import sonicBoom from "sonic-boom";

const CHUNK_BYTES = 8_192;
const DELAY_MS = 200;
/** The maximum size of the lines that wait to be written. Further lines are dropped. */
const MOST_WAITING_BYTES = 16 * 2 ** 20;
/** Each attempt takes 100 ms. */
const ATTEMPTS_AT_END = 10;

const destinations = new Map<number, sonicBoom.SonicBoom>();

/**
 * Returns the process's destination for the lines of the log. There is only one for a file, because it listens for the
 * end of the process.
 *
 * @param file A file descriptor.
 */
export function logDestinationOf(file: number): sonicBoom.SonicBoom {
  const destination = destinations.get(file) ?? openLogDestination(file);
  destinations.set(file, destination);
  return destination;
}

/**
 * Opens a destination that writes several lines at a time, because each write costs a context switch. When the process
 * exits or an exception ends it, the waiting lines are written, too, but those in flight may come after them.
 *
 * A log that cannot be written, because its reader is gone or its disk is full, neither stops nor delays the service.
 */
function openLogDestination(file: number): sonicBoom.SonicBoom {
  let attempts = Number.POSITIVE_INFINITY;
  const output = new sonicBoom.SonicBoom({
    fd: file,
    sync: false,
    minLength: CHUNK_BYTES,
    periodicFlush: DELAY_MS,
    maxLength: MOST_WAITING_BYTES,
    retryEAGAIN: () => --attempts > 0,
  });
  // Without a listener, an error would end the process.
  output.on("error", () => {});
  process.once("beforeExit", () => {
    attempts = ATTEMPTS_AT_END;
    output.flush();
  });
  process.once("exit", () => {
    attempts = ATTEMPTS_AT_END;
    try {
      output.flushSync();
    } catch {}
  });
  return output;
}
