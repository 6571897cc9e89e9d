import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { ConfigError } from "../config.ts";

/**
 * Reads a password from standard input: from a terminal, one line without echo; otherwise the whole input without a
 * trailing line break.
 *
 * @throws ConfigError if the input is too long, ends early on a terminal, or is interrupted.
 */
export async function readPassword(): Promise<string> {
  const { stdin } = process;
  stdin.setEncoding("utf8");
  return await (stdin.isTTY ? readHidden(stdin) : readAll(stdin));
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += chunk;
    if (text.length > LONGEST_INPUT) throw new ConfigError("the password on standard input is too long");
  }
  return text.replace(/\r?\n$/, "");
}

/** Reads a line from a terminal, which shows nothing of it. */
async function readHidden(input: NodeJS.ReadStream): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  // The terminal echoes keys until `createInterface` has switched that off.
  process.stderr.write("Password: ");
  try {
    return await new Promise((resolve, reject) => {
      // Ctrl-C and Ctrl-D close it.
      lines.once("line", resolve).once("close", () => reject(new ConfigError("no password was entered")));
    });
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

/** Longer than any password that is verified. */
const LONGEST_INPUT = 4_096;
