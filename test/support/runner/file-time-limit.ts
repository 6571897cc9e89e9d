/** The part of Jest's `Test` that this file uses. */
interface TestFile {
  readonly path: string;
}

/** On a busy machine, a test file can take 20 times as long as usual. */
const LONGEST_MS = 30 * 60_000;

/**
 * A reporter that ends the run if a test file hangs, because the runner has no time limit for a test. As in every
 * failed run, the exit code is 1.
 */
export default function limitFileTime() {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    onTestFileStart({ path }: TestFile) {
      timers.set(path, setTimeout(endRun, LONGEST_MS, path));
    },
    onTestFileResult({ path }: TestFile) {
      clearTimeout(timers.get(path));
    },
  };
}

async function endRun(path: string): Promise<void> {
  process.stderr.write(`${path} has run for ${LONGEST_MS / 60_000} minutes: the run ends\n`);
  await globalThis.stopTestDatabases().catch(() => {});
  process.exit(1);
}
