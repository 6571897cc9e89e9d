import { Console } from "node:console";
import { Readable, Writable } from "node:stream";
import { createSerializePerKey } from "../../../src/database/serialize-per-key.ts";

/** The output of a command, and its exit code. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = new URL("../../../src/main.ts", import.meta.url).href;
const serialize = createSerializePerKey();
let runs = 0;

/**
 * Runs `src/main.ts` in this process, which takes a few milliseconds instead of the half second of CPU time of a
 * separate process. For commands that exit on their own. They run one after another, because each replaces the
 * arguments, the environment, the working folder, the input and the output of the process.
 */
export function runHere(
  args: readonly string[],
  environment: Record<string, string | undefined>,
  folder: string,
  input: string,
): Promise<Outcome> {
  return serialize("process", async () => {
    const [stdout, stderr] = [capture(), capture()];
    const own = { argv: process.argv, env: process.env, exitCode: process.exitCode };
    const ownFolder = process.cwd();
    const ownConsole = globalThis.console;
    const ownInput = Object.getOwnPropertyDescriptor(process, "stdin");
    const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
    Object.assign(process, { argv: [process.execPath, "signet", ...args], env: environment, exitCode: undefined });
    Object.defineProperty(process, "stdin", { value: Readable.from([input]), configurable: true });
    process.chdir(folder);
    globalThis.console = new Console(stdout.stream, stderr.stream);
    process.stdout.write = stdout.stream.write.bind(stdout.stream) as typeof process.stdout.write;
    process.stderr.write = stderr.stream.write.bind(stderr.stream) as typeof process.stderr.write;
    try {
      // A different query makes Node re-evaluate this file, but not its imports.
      await import(`${MAIN}?run=${++runs}`);
      return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      process.stdout.write = writes.stdout;
      process.stderr.write = writes.stderr;
      globalThis.console = ownConsole;
      process.chdir(ownFolder);
      Object.assign(process, own);
      if (ownInput) Object.defineProperty(process, "stdin", ownInput);
    }
  });
}

function capture() {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}
