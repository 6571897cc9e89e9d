/** The exit code of a command that was interrupted: that of a process that SIGINT has ended. */
export const INTERRUPTED = 130;

/** Runs `use` with a signal that Ctrl-C or SIGTERM aborts. A second Ctrl-C ends the process at once. */
export async function untilInterrupted<T>(use: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once("SIGINT", abort).once("SIGTERM", abort);
  try {
    return await use(controller.signal);
  } finally {
    process.off("SIGINT", abort).off("SIGTERM", abort);
  }
}
