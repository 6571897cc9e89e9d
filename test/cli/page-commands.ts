import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { killGroup } from "../support/kill-group.ts";
import { until } from "../support/until.ts";

/** What replaces the addresses and the folder in the commands of a page. */
export interface CommandsOptions {
  readonly origin: string;
  readonly dataDir: string;
  /** Ports of this machine that replace others, such as that of an example. */
  readonly ports?: Readonly<Record<number, number>>;
  /** Further variables of the commands. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The blocks of shell commands of a Markdown page, run as they stand with a test's service, folder and ports. */
export interface PageCommands {
  /** Starts the block that contains a text, and resolves with what it prints that matches. Rejects if it fails before. */
  outputOf(text: string, expected: RegExp): Promise<string>;
  /** Starts the block that contains a text. Resolves with everything it has printed once it has exited with this code. */
  run(text: string, code?: number): Promise<string>;
  /** Ends the commands that still run. */
  close(): void;
}

/** @param page The path of the page, such as `docs/providers/google.md`. */
export function createPageCommands(page: string, options: CommandsOptions): PageCommands {
  const { origin, dataDir, ports = {}, variables } = options;
  const blocks = [...readFileSync(page, "utf8").matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(
    ([, block = ""]) => block,
  );
  const children: ChildProcess[] = [];

  function start(text: string) {
    const block = blocks.find((commands) => commands.includes(text));
    if (block === undefined) throw new Error(`${page} has no commands with ${text}`);
    let commands = block.replaceAll("http://localhost:8080", origin).replaceAll(/\bdata\//g, `${dataDir}/`);
    // Only for the examples: with it, `signet` would call the server instead of using the database.
    commands = commands.replaceAll(/\bnode examples\//g, `SIGNET_URL=${origin} node examples/`);
    for (const [from, to] of Object.entries(ports))
      commands = commands.replaceAll(`localhost:${from}`, `localhost:${to}`).replaceAll(`PORT=${from}`, `PORT=${to}`);
    const env = { ...process.env, DATA_DIR: dataDir, ...variables };
    const child = spawn("bash", ["-euo", "pipefail"], { env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    children.push(child);
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdin.end(commands);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, ended, stdout: () => stdout, describe: () => `${commands}\n${stdout}\n${stderr}` };
  }

  return {
    async outputOf(text, expected) {
      const { child, stdout, describe } = start(text);
      return await until(`the commands print ${expected}`, () => {
        const found = expected.exec(stdout())?.[0];
        if (found === undefined && (child.exitCode ?? 0) !== 0) throw new Error(`the commands failed: ${describe()}`);
        return found;
      });
    },
    async run(text, code = 0) {
      const { ended, stdout, describe } = start(text);
      if ((await ended) !== code) throw new Error(`the commands did not exit with ${code}: ${describe()}`);
      return stdout();
    },
    close() {
      for (const { pid } of children) if (pid !== undefined) killGroup(pid, "SIGTERM");
    },
  };
}
