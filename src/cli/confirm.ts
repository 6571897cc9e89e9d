import { createInterface } from "node:readline";
import { ConfigError } from "../config.ts";
import { UsageError } from "./usage-error.ts";

/** Asks a question on the terminal. */
export type Confirm = (question: string) => Promise<void>;

/**
 * Creates what asks before a change that cannot be undone easily. Call it first, so that a command without a terminal
 * fails before it does anything.
 *
 * @param yes Whether the answer was given with `--yes`.
 * @returns A function that throws ConfigError unless the answer is yes.
 * @throws UsageError with the command that needs no answer, if there is no terminal.
 */
export function createConfirm(yes: boolean): Confirm {
  if (yes) return async () => {};
  if (!process.stdin.isTTY) {
    throw new UsageError(`there is no terminal to confirm the change; to make it, run: ${commandWithYes()}`);
  }
  return async (question) => {
    process.stderr.write(`${question} [y/N] `);
    const answer = await readLine();
    if (!/^y(es)?$/i.test(answer.trim())) throw new ConfigError("nothing was changed");
  };
}

/**
 * Creates what asks after a preview. Without a terminal, the preview is shown, and nothing is changed.
 *
 * @param change What the command does, such as `import`.
 */
export function confirmAfterPreview(yes: boolean, change: string): Confirm {
  return async (question) => {
    if (!yes && !process.stdin.isTTY) {
      throw new UsageError(`there is no terminal to confirm the ${change}; to make it, run: ${commandWithYes()}`);
    }
    await createConfirm(yes)(question);
  };
}

/** Reads a line from the terminal; empty at its end (Ctrl-D). */
async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    return await new Promise((resolve) => {
      lines.once("line", resolve).once("close", () => resolve(""));
    });
  } finally {
    lines.close();
  }
}

/** This command with `--yes`, for a shell. */
function commandWithYes(): string {
  const args = process.argv.slice(2);
  const end = args.indexOf("--");
  args.splice(end === -1 ? args.length : end, 0, "--yes");
  return ["signet", ...args.map(quote)].join(" ");
}

function quote(text: string): string {
  return /^[\w./:@=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
