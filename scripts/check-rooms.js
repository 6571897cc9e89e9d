/**
 * Checks that the rooms (folders) of `src/` import only from rooms below them in the list `ROOMS`. Prints every
 * violation, and exits with 1 if there are any.
 *
 * `node scripts/check-rooms.js [folder]`: the folder that contains `src/`, by default the current folder.
 *
 * Imports are `import` and `export … from`, including type imports, `import()`, `import("…")` in a type, and `new
 * URL("…", import.meta.url)`, which starts worker threads.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parseSync } from "@swc/core";

/**
 * From top to bottom. A room imports from itself and rooms below it. Rooms on the same line do not import each other.
 */
const ROOMS = [
  ["main.ts"],
  ["cli"],
  ["moving"],
  ["server"],
  ["app.ts"],
  ["rpcs.ts"],
  ["rpc"],
  ["oidc"],
  ["web"],
  ["sign-in"],
  ["instance"],
  ["access"],
  ["password-hook"],
  ["orgs", "apps", "apis", "idps", "users", "passkeys", "webhooks"],
  ["policies"],
  ["messages"],
  ["branding"],
  ["texts"],
  ["codes"],
  ["passwords"],
  ["fields"],
  ["events"],
  ["crypto"],
  ["database"],
  ["outbound"],
  ["http"],
];

/** Rooms that only the listed rooms may import, even though other rooms are above them too. */
const IMPORTERS = { http: ["cli", "server", "app.ts", "rpc", "oidc", "web", "http"] };

/** Files and folders that every room may import. They import only each other. */
const COMMON = [
  "config.ts",
  "config/",
  "errors.ts",
  "clock.ts",
  "call.ts",
  "document-thread.ts",
  "actor.ts",
  "owner.ts",
  "roles.ts",
  "files.ts",
  "html.ts",
  "printable.ts",
  "log-failure.ts",
  "network-buckets.ts",
  "network-of.ts",
  "parse-user-agent.ts",
  "token-bucket.ts",
  "turn-queue.ts",
  "telemetry/",
];

/**
 * Only these know messages: they import generated code and the packages of protobuf. The operations of all other rooms
 * take and return plain values. `rpcs.ts` names the services that it implements, and `cli` and `moving` are clients of them.
 */
const MESSAGE_ROOMS = ["rpcs.ts", "rpc", "cli", "moving"];
const GENERATED = "gen";
const PROTOBUF = /^@bufbuild\//;

/** Files for browsers, not code of the server: the room that serves them may refer to them. */
const DOCUMENTS = { paths: ["gen/openapi.json", "gen/console"], room: "web" };

/**
 * The console runs in the browser: its files import from these folders, and what reads, checks and sends the users of an import, which
 * the command line uses too. No other file of the server. What is reached from there, other than types, imports only these packages.
 */
const CONSOLE = {
  folder: "console",
  sources: ["console", "gen", "clients"],
  shared: ["src/moving/", "src/config/config-error.ts"],
  packages: /^(?:@bufbuild\/protobuf|@connectrpc\/connect|@streamparser\/json|csv-parse\/sync)(?:\/|$)/,
};

/** Allowed import from outside `src/`, only by `main.ts`. */
const PACKAGE_FILE = "package.json";

const root = resolve(process.argv[2] ?? ".");
const source = join(root, "src");
const files = listFiles(source);
const violations = files.length === 0 ? [`${source} contains no files`] : [];
const graph = new Map();
/** What each file imports when it runs: not only types. */
const running = new Map();

for (const file of files) {
  const { imports, packages, unreadable, values } = readImports(file);
  running.set(file, values);
  graph.set(
    file,
    imports.filter((target) => files.includes(target)),
  );
  violations.push(...unreadable.map((what) => `${name(file)}: ${what}`));
  const protobuf = MESSAGE_ROOMS.includes(roomOf(file)) ? [] : packages.filter((each) => PROTOBUF.test(each));
  violations.push(...protobuf.map((each) => `${name(file)} imports ${each}: only rpc knows messages`));
  if (levelOf(file) === undefined) violations.push(`${name(file)}: is in an unknown room`);
  for (const target of imports) {
    const problem = describeProblem(file, target);
    if (problem !== undefined) violations.push(`${name(file)} imports ${name(target)}: ${problem}`);
  }
}
const reached = new Set();
for (const file of listFiles(join(root, CONSOLE.folder))) {
  const { imports, unreadable, values } = readImports(file);
  violations.push(...unreadable.map((what) => `${name(file)}: ${what}`));
  const outside = imports.filter((target) => !mayImportInBrowser(target));
  violations.push(...outside.map((target) => `${name(file)} imports ${name(target)}: the console runs in the browser`));
  for (const target of values.imports) reach(target);
}
for (const file of reached) {
  const foreign = running.get(file).packages.filter((each) => !CONSOLE.packages.test(each));
  violations.push(
    ...foreign.map((each) => `${name(file)} imports ${each}: the console, which runs in the browser, uses it`),
  );
}
for (const cycle of findCycles(graph)) violations.push(`cycle: ${cycle.map(name).join(" → ")}`);

if (violations.length === 0) {
  console.log(`no violations in ${files.length} files`);
} else {
  for (const violation of violations) console.error(violation);
  process.exitCode = 1;
}

/** The code in a folder; none if it does not exist. */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Describes what is wrong with an import; undefined if it is allowed. */
function describeProblem(file, target) {
  const place = relative(root, target).split(sep)[0];
  if (place === GENERATED) return mayImportGenerated(file, target) ? undefined : "only rpc knows messages";
  if (place === PACKAGE_FILE) return roomOf(file) === "main.ts" ? undefined : "only main.ts may import it";
  if (place !== "src") return "is outside of src and gen";
  if (isCommon(target)) return undefined;
  if (isCommon(file)) return "a common file must not import a room";
  const [from, to] = [levelOf(file), levelOf(target)];
  const [room, other] = [roomOf(file), roomOf(target)];
  const importers = IMPORTERS[other];
  if (importers !== undefined && !importers.includes(room)) return `only ${importers.join(", ")} may import ${other}`;
  if (from === undefined || to === undefined || from < to) return undefined;
  if (from > to) return `${room} is below ${other}`;
  return room === other ? undefined : `${room} and ${other} are on the same level`;
}

function mayImportGenerated(file, target) {
  if (MESSAGE_ROOMS.includes(roomOf(file))) return true;
  return roomOf(file) === DOCUMENTS.room && DOCUMENTS.paths.includes(relative(root, target).replaceAll(sep, "/"));
}

function mayImportInBrowser(target) {
  const path = relative(root, target).replaceAll(sep, "/");
  const [place] = path.split("/");
  return (
    CONSOLE.sources.includes(place) ||
    CONSOLE.shared.some((each) => (each.endsWith("/") ? path.startsWith(each) : path === each))
  );
}

/** Notes a file of the server that runs in the browser, and all that it imports. */
function reach(file) {
  if (reached.has(file) || !running.has(file)) return;
  reached.add(file);
  for (const target of running.get(file).imports) reach(target);
}

/** Returns the room of a file: its folder in `src`, or the file itself if it is directly in `src`. */
function roomOf(file) {
  return relative(source, file).split(sep)[0];
}

function isCommon(file) {
  const path = relative(source, file).replaceAll(sep, "/");
  return COMMON.some((common) => (common.endsWith("/") ? path.startsWith(common) : path === common));
}

/** Returns the index of a file's room in `ROOMS`. Common files are below all rooms. */
function levelOf(file) {
  if (isCommon(file)) return ROOMS.length;
  const level = ROOMS.findIndex((rooms) => rooms.includes(roomOf(file)));
  return level < 0 ? undefined : level;
}

/**
 * Returns the files and the packages that a file imports, and its imports whose target is not a literal. `values` are the imports that
 * are not only types.
 */
function readImports(file) {
  const imports = [];
  const packages = [];
  const unreadable = [];
  const values = { imports: [], packages: [] };
  const note = (literal, what, isType = false) => {
    if (literal?.type !== "StringLiteral") {
      unreadable.push(`the target of ${what} must be a literal`);
      return;
    }
    const isFile = /^\.{0,2}\//.test(literal.value);
    const target = isFile ? resolve(dirname(file), literal.value) : literal.value;
    (isFile ? imports : packages).push(target);
    if (!isType) (isFile ? values.imports : values.packages).push(target);
  };
  const options = { syntax: "typescript", tsx: file.endsWith("x"), target: "es2024" };
  visit(parseSync(readFileSync(file, "utf8"), options), (node) => {
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return note(node.source, "import", node.typeOnly);
      case "ExportNamedDeclaration":
        return node.source && note(node.source, "export", node.typeOnly);
      case "TsImportType":
        return note(node.argument, "import() of a type", true);
      case "CallExpression":
        return node.callee.type === "Import" ? note(node.arguments[0]?.expression, "import()") : undefined;
      case "NewExpression":
        return isUrlOfFile(node) ? note(node.arguments[0]?.expression, "new URL()") : undefined;
    }
  });
  return { imports, packages, unreadable, values };
}

/** Whether an expression is `new URL(…, import.meta.url)`. */
function isUrlOfFile({ callee, arguments: given }) {
  const base = given?.[1]?.expression;
  return callee.value === "URL" && base?.type === "MemberExpression" && base.object.type === "MetaProperty";
}

function visit(node, look) {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, look);
  } else if (typeof node === "object" && node !== null) {
    if (typeof node.type === "string") look(node);
    for (const part of Object.values(node)) visit(part, look);
  }
}

/** Finds one cycle for each import that closes one. A cycle starts and ends with the file whose name sorts first. */
function findCycles(imports) {
  const cycles = [];
  const done = new Set();
  const path = [];
  const enter = (file) => {
    if (path.includes(file)) {
      const cycle = path.slice(path.indexOf(file));
      const first = cycle.indexOf([...cycle].sort()[0]);
      cycles.push([...cycle.slice(first), ...cycle.slice(0, first + 1)]);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) enter(target);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) enter(file);
  return cycles;
}

function name(file) {
  return relative(root, file);
}
