import sonicBoom from "sonic-boom";

/** Lines for the log. */
export interface LogDestination {
  write(line: string): void;
}

const CHUNK_CHARACTERS = 16_384;
const DELAY_MS = 200;
/** Lines that nobody reads wait in memory up to this many bytes. Further lines are dropped. */
const MOST_WAITING_BYTES = 16 * 2 ** 20;
/** Each attempt takes 100 ms. */
const ATTEMPTS_AT_EXIT = 10;

/**
 * Opens a destination that writes several lines at a time, because each write costs a context switch. The lines are also
 * written when the process exits or an exception ends it.
 *
 * A log that cannot be written, because its reader is gone or its disk is full, neither stops nor delays the service.
 *
 * @param file A file descriptor.
 */
export function openLogDestination(file: number): LogDestination {
  let attempts = Number.POSITIVE_INFINITY;
  const output = new sonicBoom.SonicBoom({
    fd: file,
    sync: false,
    maxLength: MOST_WAITING_BYTES,
    retryEAGAIN: () => --attempts > 0,
  });
  // Without a listener, an error would end the process.
  output.on("error", () => {});
  // Passed on together, because SonicBoom measures the waiting lines again for each line that it gets: that took 10 % of
  // the server's CPU under load.
  let lines = "";
  let timer: NodeJS.Timeout | undefined;

  function passOn(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== "") output.write(lines);
    lines = "";
  }
  process.once("exit", () => {
    attempts = ATTEMPTS_AT_EXIT;
    passOn();
    try {
      output.flushSync();
    } catch {}
  });
  return {
    write(line) {
      lines += line;
      if (lines.length >= CHUNK_CHARACTERS) passOn();
      else timer ??= setTimeout(passOn, DELAY_MS).unref();
    },
  };
}
