/**
 * Checks the commands in the Markdown pages, in code blocks and in backticks: `node scripts/docs/check-commands.ts`.
 * Prints every problem and exits with 1 if there is one.
 *
 * - Every `npm run …` is a script of package.json.
 * - Every `signet …` is a command, and its options exist, according to its own help.
 * - Every file that `node …` runs exists.
 *
 * `.ci/run` checks that the commands in the README, docs/api.md, docs/clients.md and docs/keycloak.md work by running
 * them.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";

const PAGES = ["*.md", "bench/*.md", "test/**/*.md", "docs/**/*.md", "clients/*/*.md", "examples/**/*.md"];

/** Made from the commands themselves. */
const GENERATED = "docs/reference/commands.md";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const helps = new Map<string, string>();
const problems: string[] = [];
let count = 0;
for (const page of PAGES.flatMap((pattern) => globSync(pattern)).filter((path) => path !== GENERATED)) {
  for (const command of findCommands(readFileSync(page, "utf8"))) {
    count += 1;
    const problem = describeProblem(command);
    if (problem !== undefined) problems.push(`${page}: ${command}: ${problem}`);
  }
}
if (count < 50) problems.push(`only ${count} commands were found`);
if (problems.length === 0) console.log(`${count} commands exist`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Our own commands, without anything before them on the line, such as `npx` or variables. */
function findCommands(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm)]
    .filter(([, language = ""]) => ["", "sh", "console"].includes(language))
    .map(([, , block = ""]) => block);
  const lines = blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n")).map((line) => line.trim());
  const inline = [...text.replace(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...lines, ...inline].flatMap(
    (line) =>
      line.match(/(?<=^|[|;&(]\s*|npx |\$ |[A-Z_]+=\S+ )(?:signet [a-z][^|;&)#]*|npm run [^|;&)#]+|node [^|;&)#]+)/g) ??
      [],
  );
}

function describeProblem(command: string): string | undefined {
  const words = command.trim().split(/\s+/);
  if (words[0] === "signet") return describeSignet(words.slice(1));
  if (words[0] === "npm") {
    const script = words.slice(2).find((word) => !word.startsWith("-")) ?? "";
    return script in scripts ? undefined : "package.json has no such script";
  }
  const file = words.slice(1).find((word) => !word.startsWith("-")) ?? "";
  return existsSync(file) || /["'$<]|^\W|^client\.ts$/.test(file) ? undefined : "the file does not exist";
}

function describeSignet(words: readonly string[]): string | undefined {
  const path: string[] = [];
  for (const word of words) {
    const commands = subcommands(path);
    if (commands.length === 0) break;
    if (!commands.includes(word)) return `${["signet", ...path].join(" ")} has no command ${word}`;
    path.push(word);
  }
  const help = helpOf(path);
  const options = words.filter((word) => /^--\w/.test(word)).map((word) => word.split("=", 1)[0] ?? "");
  const unknown = options.find((option) => !new RegExp(`${option}\\b`).test(help));
  return unknown === undefined ? undefined : `${["signet", ...path].join(" ")} has no option ${unknown}`;
}

function subcommands(path: readonly string[]): string[] {
  const [, list = ""] = helpOf(path).split("\nCommands:\n");
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = ""]) => name);
}

function helpOf(path: readonly string[]): string {
  const key = path.join(" ");
  const help =
    helps.get(key) ?? execFileSync(process.execPath, ["bin/signet.js", ...path, "--help"], { encoding: "utf8" });
  helps.set(key, help);
  return help;
}
