/**
 * Checks the links and paths in the Markdown files of the repository: `node scripts/check-docs.js [folder]`. Prints
 * every problem and exits with 1 if there is one.
 *
 * - The target of every relative link and image exists, and its anchor is a heading or an `<a id>` of the target file.
 * - Every path in backticks that starts with a folder of the repository, such as `src/app.ts`, exists.
 * - A code block behind `<!-- file: path -->` is that file.
 * - Every cited file `docs/….md` in the sources and tests exists.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** Folders whose paths are checked. `data` and the like exist only after the service has run. */
const FOLDERS = ["src", "test", "docs", "proto", "gen", "bench", "scripts", "examples", "clients", "bin", "deploy"];
/** Where comments cite documents. */
const CITING = ["src", "test", "bench", "scripts", "examples", "clients", "proto/signet"];

const root = resolve(process.argv[2] ?? ".");
const problems = [];
const anchors = new Map();
const pages = [
  ...filesIn(".", { isRecursive: false }),
  ...filesIn("docs"),
  ...filesIn("examples"),
  ...filesIn("clients"),
  ...filesIn("test"),
  ...filesIn("bench"),
].filter((file) => file.endsWith(".md"));
if (pages.length === 0) problems.push(`${root} contains no Markdown files`);

for (const page of pages) {
  checkFiles(page, readFileSync(page, "utf8"));
  const text = withoutCodeBlocks(readFileSync(page, "utf8"));
  for (const [, target] of text.matchAll(/\]\(([^()\s]+)\)/g)) checkLink(page, target);
  for (const [, path] of text.matchAll(/`([^`\s]+)`/g)) checkPath(page, path);
}
for (const file of CITING.flatMap((folder) => filesIn(folder))) {
  for (const [path] of readFileSync(file, "utf8").matchAll(/(?<![\w/.-])docs\/[\w/-]+\.(?:md|svg)\b/g)) {
    if (!existsSync(join(root, path))) problems.push(`${name(file)}: ${path} does not exist`);
  }
}

if (problems.length === 0) {
  console.log(`${pages.length} pages: all links and paths exist`);
} else {
  for (const problem of problems) console.error(problem);
  process.exitCode = 1;
}

function checkFiles(page, text) {
  for (const [, file, block] of text.matchAll(/<!-- file: (\S+) -->\n```\w*\n([\s\S]*?)^```/gm)) {
    const path = join(root, file);
    if (!existsSync(path)) problems.push(`${name(page)}: ${file} does not exist`);
    else if (readFileSync(path, "utf8").trimEnd() !== block.trimEnd()) {
      problems.push(`${name(page)}: the block is not the file ${file}`);
    }
  }
}

function checkLink(page, target) {
  if (/^[a-z]+:/i.test(target)) return;
  const [path = "", anchor] = target.split("#", 2);
  const file = path === "" ? page : resolve(dirname(page), path);
  if (!existsSync(file)) problems.push(`${name(page)}: the target of the link ${target} does not exist`);
  else if (anchor !== undefined && !anchorsOf(file).has(anchor)) {
    problems.push(`${name(page)}: ${name(file)} has no heading for the link ${target}`);
  }
}

/** Checks text in backticks that looks like a path of the repository. Patterns such as `src/{a,b}` are not checked. */
function checkPath(page, path) {
  if (!FOLDERS.some((folder) => path.startsWith(`${folder}/`)) || !/^[\w./-]+$/.test(path)) return;
  if (!existsSync(join(root, path))) problems.push(`${name(page)}: the path ${path} does not exist`);
}

/** The anchors that GitHub generates for the headings of a page, and those of `<a id>`. */
function anchorsOf(file) {
  let found = anchors.get(file);
  if (found === undefined) {
    found = new Set();
    const text = file.endsWith(".md") ? withoutCodeBlocks(readFileSync(file, "utf8")) : "";
    for (const [, id] of text.matchAll(/<a id="([^"]+)">/g)) found.add(id);
    const seen = new Map();
    for (const [, heading = ""] of text.matchAll(/^#{1,6} +(.+)$/gm)) {
      const slug = toSlug(heading);
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      found.add(count === 0 ? slug : `${slug}-${count}`);
    }
    anchors.set(file, found);
  }
  return found;
}

function toSlug(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function withoutCodeBlocks(text) {
  return text.replace(/^( *)```[\s\S]*?^ *```/gm, "");
}

function filesIn(folder, { isRecursive = true } = {}) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: isRecursive })
    .filter((file) => !file.includes("node_modules"))
    .map((file) => join(path, file))
    .filter((file) => statSync(file).isFile());
}

function name(file) {
  return relative(root, file);
}
