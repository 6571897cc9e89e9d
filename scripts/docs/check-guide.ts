/**
 * Builds the guide (`/docs/guide`) and checks its files: `node scripts/docs/check-guide.ts`. Prints every problem and
 * exits with 1 if there is one.
 *
 * - Every link to the guide has a target, and every anchor is the id of an element of the target.
 * - Pages load nothing from elsewhere, and have no inline scripts, styles or handlers, which the policy forbids.
 * - Every file that the guide reads is in the container image.
 */
import { existsSync, readFileSync } from "node:fs";
import { ICON } from "../../src/web/frame/logo.ts";
import { type BuiltFile, buildGuide } from "./guide/build-guide.ts";

/** Other paths of the service that the guide links to. */
const OTHERS = ["/docs", "/docs/guide/guide.css", "/docs/guide/guide.js", "/openapi.json", ICON.address];

const files = buildGuide(process.cwd());
const texts = new Map(files.map(({ path, text = "" }: BuiltFile) => [path, text]));
const problems: string[] = [];
const dockerfile = readFileSync("Dockerfile", "utf8");
const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = ""]) => names.split(" "));

for (const { path, type, file, text } of files) {
  if (type.startsWith("text/html")) checkPage(path, texts.get(path) ?? "");
  if (text === undefined && !existsSync(file)) problems.push(`${path}: ${file} does not exist`);
  if (!copied.some((name) => file === name || file.startsWith(`${name}/`))) {
    problems.push(`${path}: the Dockerfile does not copy ${file}`);
  }
}
if (problems.length === 0) console.log(`${files.length} files of the guide: all links have targets`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkPage(page: string, html: string): void {
  const report = (problem: string) => problems.push(`${page}: ${problem}`);
  const tags = html.match(/<[a-z][^>]*>/g) ?? [];
  for (const tag of tags) {
    const [, name = ""] = tag.match(/^<([a-z]+)/) ?? [];
    if (/\s(?:style|on[a-z]+)=/.test(tag)) report(`${tag} has a style or a handler`);
    if (name === "style" || (name === "script" && !/\ssrc=/.test(tag))) report(`${tag} is inline`);
    const [, attribute = "", target = ""] = tag.match(/\s(href|src)="([^"]*)"/) ?? [];
    if (attribute === "") continue;
    if (/^https?:/.test(target) && name === "a") continue;
    const problem = describeTarget(page, target);
    if (problem !== undefined) report(`${tag}: ${problem}`);
  }
}

function describeTarget(page: string, target: string): string | undefined {
  const [path, anchor] = target.split("#", 2);
  const text = texts.get(path === "" ? page : (path ?? ""));
  if (text === undefined) return OTHERS.includes(target) ? undefined : "nothing is there";
  return anchor === undefined || text.includes(` id="${anchor}"`) ? undefined : "the target has no such anchor";
}
