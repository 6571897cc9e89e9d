import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("run-in-terminal.py", import.meta.url));

/** A program in a terminal of 80 columns. */
export interface Terminal {
  /** Everything it has shown, with control characters. */
  output(): string;
  /** Types a text. `\x03` is Ctrl-C. */
  type(text: string): void;
  /** Resolves with the exit code once the program has ended. */
  readonly ended: Promise<number | null>;
  kill(): void;
}

/** Calls `describe` or, without Python's pseudo-terminals, adds a skipped test with the title. */
export function describeInTerminal(title: string, body: () => void): void {
  const { status } = spawnSync("python3", [
    "-c",
    "import pty, termios; assert __import__('sys').version_info >= (3, 9)",
  ]);
  if (status === 0) describe(title, body);
  else test.skip(`${title}: skipped, because there is no Python 3.9 with pseudo-terminals`, () => {});
}

/** @param answer What is typed after each question, with Enter; `\x03` is Ctrl-C. */
export function runInTerminal(
  command: readonly string[],
  {
    cwd,
    env,
    answer,
  }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly answer: string },
): Terminal {
  const child = spawn("python3", [PROGRAM, answer, ...command], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  child.stdin.on("error", () => {});
  return {
    output: () => output,
    type: (text) => child.stdin.write(text),
    ended: new Promise((resolve) => child.once("close", resolve)),
    kill: () => child.kill("SIGKILL"),
  };
}
