import { ConfigError } from "../config.ts";

/**
 * Reads a password from standard input: from a terminal, one line without echo; otherwise the whole input without a
 * trailing line break.
 *
 * @throws ConfigError if the input is too long, ends early on a terminal, or is interrupted.
 */
export async function readPassword(): Promise<string> {
  const { stdin, stderr } = process;
  stdin.setEncoding("utf8");
  if (!stdin.isTTY) return await readAll(stdin);
  // The terminal echoes keys until raw mode is on.
  stdin.setRawMode(true);
  stderr.write("Password: ");
  try {
    return await readKeys(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += chunk;
    if (text.length > LONGEST_INPUT) throw new ConfigError("the password on standard input is too long");
  }
  return text.replace(/\r?\n$/, "");
}

/** In raw mode, the terminal neither echoes nor interprets keys. */
async function readKeys(input: NodeJS.ReadStream): Promise<string> {
  let typed: string[] = [];
  for await (const chunk of input.iterator({ destroyOnReturn: false })) {
    for (const key of chunk as string) {
      if (key === "\r" || key === "\n") return typed.join("");
      if (key === CTRL_C || key === CTRL_D) throw new ConfigError("no password was entered");
      if (key === CTRL_U) typed = [];
      else if (key === BACKSPACE || key === DELETE) typed.pop();
      else if (typed.length < LONGEST_INPUT) typed.push(key);
    }
  }
  throw new ConfigError("no password was entered");
}

/** Longer than any password that is verified. */
const LONGEST_INPUT = 4_096;

const CTRL_C = "\x03";
const CTRL_D = "\x04";
const CTRL_U = "\x15";
const BACKSPACE = "\b";
const DELETE = "\x7f";
