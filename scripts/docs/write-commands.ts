/**
 * Writes docs/reference/commands.md from the definitions of the commands. `npm run generate` runs it after buf, which empties
 * the folder.
 */
import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { defineCommands } from "../../src/cli/commands/define-commands.ts";

const program = new Command("signet");
defineCommands(program, () => {
  throw new Error("this program runs no command");
});
const help = program.createHelp();
const leaves = listLeaves(program);
const index = leaves.map(
  ({ path, command }) => `| [${path}](#${path.replaceAll(" ", "-")}) | ${toCell(command.description())} |`,
);
const text = [
  "# Commands",
  "All commands of `signet` but `serve` and `migrate`, as `--help` prints them. [Command line](../configuration.md#command-line) says " +
    "how to run them.",
  ["| command | |", "|---|---|", ...index].join("\n"),
  ...leaves.map(describeLeaf),
].join("\n\n");
writeFileSync("docs/reference/commands.md", `${text}\n`);

interface Leaf {
  /** Such as `user list`. */
  readonly path: string;
  readonly command: Command;
}

function listLeaves(command: Command, path: readonly string[] = []): Leaf[] {
  return command.commands.flatMap((inner) => {
    const innerPath = [...path, inner.name()];
    return inner.commands.length === 0 ? [{ path: innerPath.join(" "), command: inner }] : listLeaves(inner, innerPath);
  });
}

function describeLeaf({ path, command }: Leaf): string {
  const terms = [
    ...help.visibleArguments(command).map((each) => [help.argumentTerm(each), help.argumentDescription(each)]),
    ...help.visibleOptions(command).map((each) => [help.optionTerm(each), help.optionDescription(each)]),
  ].filter(([term]) => term !== "-h, --help");
  const rows = terms.map(([term = "", meaning = ""]) => `| \`${term}\` | ${toCell(meaning)} |`);
  const description = toCell(command.description());
  return [
    `## ${path}`,
    `\`signet ${path} ${command.usage()}\`: ${description}.`,
    ["| argument, option | |", "|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

/** Markdown in a table, with the characters that would begin a tag or end a cell escaped. */
function toCell(plain: string): string {
  return plain.replaceAll("|", "\\|").replaceAll("<", "\\<").replaceAll("*", "\\*");
}
