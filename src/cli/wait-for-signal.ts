/** Ctrl-C delivers SIGINT twice: the terminal signals every process of the group, and npm forwards its own. */
const DUPLICATE_MS = 1_000;

/**
 * Resolves with the name of the first SIGTERM or SIGINT. A further signal at least one second later exits the process
 * immediately with code 1.
 */
export function waitForSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (first !== undefined && performance.now() - first >= DUPLICATE_MS) process.exit(1);
        first ??= performance.now();
        resolve(signal);
      });
    }
  });
}
