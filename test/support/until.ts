/** Shorter than the time limit of a test file, so that a failure shows what was awaited. */
export const LONGEST_MS = 300_000;

type Falsy = false | 0 | "" | null | undefined;

/** Polls until the result is truthy. Throws after `longestMs`. */
export async function until<T>(
  what: string,
  ask: () => T | Falsy | Promise<T | Falsy>,
  longestMs = LONGEST_MS,
): Promise<T> {
  const deadline = performance.now() + longestMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer as T;
    if (performance.now() > deadline) throw new Error(`after ${longestMs} ms still waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
