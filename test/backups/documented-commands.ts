import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Owner } from "../support/databases/postgres-programs.ts";

const PAGES = ["docs/guides/backups.md", "docs/backups.md"];

export interface RunOptions {
  /** The environment of the commands. */
  readonly env: Record<string, string>;
  readonly as: Owner | undefined;
  readonly cwd: string;
}

/**
 * Runs the commands under a heading of the pages about backups verbatim. Commands that only set variables are omitted.
 *
 * @param block The index of the command block under the heading.
 * @returns Their standard output.
 * @throws Error with their standard error if one of them fails.
 */
export async function runDocumented(heading: string, { env, as, cwd }: RunOptions, block = 0): Promise<string> {
  const sections = PAGES.flatMap((page) => readFileSync(page, "utf8").split(/\n##+ /));
  const own = sections.find((section) => section.startsWith(`${heading}\n`)) ?? "";
  const blocks = [...own.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].map(([, commands = ""]) => commands);
  const commands = blocks.filter((text) => !text.startsWith("export "))[block];
  if (commands === undefined) throw new Error(`${PAGES.join(" and ")} have no commands under "${heading}"`);
  try {
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", commands], { env, cwd, ...as });
    return stdout;
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new Error(`the commands under "${heading}" failed: ${stderr.trim()}`);
  }
}
