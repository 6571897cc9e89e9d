/** One Ctrl-C comes twice: the terminal signals all of its processes, and npm passes on the one that it got. */
const ONE_PRESS_MS = 1_000;

/** Resolves, with its name, at the first SIGTERM or SIGINT; another one, a second or more later, ends the process at once. */
export function waitForSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (first !== undefined && performance.now() - first >= ONE_PRESS_MS) process.exit(1);
        first ??= performance.now();
        resolve(signal);
      });
    }
  });
}
