import { createInterface } from "node:readline";
import { ConfigError } from "../config.ts";
import { toPrintable } from "../printable.ts";
import { UsageError } from "./usage-error.ts";

export type Confirm = (question: string) => Promise<void>;

/**
 * Creates what asks before a change that cannot be undone easily. Call it first, so that a command without a terminal
 * fails before it does anything.
 *
 * @param yes Whether the answer was given with `--yes`.
 * @param stopped Ends waiting for the answer.
 * @returns A function that throws ConfigError unless the answer is yes, and the reason of `stopped`.
 * @throws UsageError with the command that needs no answer, if there is no terminal.
 */
export function createConfirm(yes: boolean, stopped?: AbortSignal): Confirm {
  if (yes) return async () => {};
  if (!process.stdin.isTTY) {
    throw new UsageError(`there is no terminal to confirm the change; to make it, run: ${commandWithYes()}`);
  }
  return async (question) => {
    process.stderr.write(`${toPrintable(question)} [y/N] `);
    const answer = await readLine(stopped);
    if (stopped?.aborted === true) process.stderr.write("\n");
    stopped?.throwIfAborted();
    if (!/^y(es)?$/i.test(answer.trim())) throw new ConfigError("nothing was changed");
  };
}

/**
 * Creates what asks after a preview. Without a terminal, the preview is shown, and nothing is changed.
 *
 * @param change What the command does, such as `import`.
 * @param stopped See `createConfirm`.
 */
export function confirmAfterPreview(yes: boolean, change: string, stopped: AbortSignal): Confirm {
  return async (question) => {
    if (!yes && !process.stdin.isTTY) {
      throw new UsageError(`there is no terminal to confirm the ${change}; to make it, run: ${commandWithYes()}`);
    }
    await createConfirm(yes, stopped)(question);
  };
}

/** Reads a line from the terminal; empty at its end (Ctrl-D), and if `signal` is aborted. */
async function readLine(signal: AbortSignal | undefined): Promise<string> {
  const lines = createInterface({ input: process.stdin, terminal: false, signal });
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
