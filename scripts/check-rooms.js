/**
 * Checks that the rooms (folders) of `src/` import only from rooms below them in the list `ROOMS`, and those of `console/` in
 * `CONSOLE.rooms`; and the parts of some folders from those below them in `INSIDE`; and that files export only what other files import.
 * Prints every violation, and exits with 1 if there are any.
 *
 * `node scripts/check-rooms.js [folder]`: the folder that contains `src/` and `console/`, by default the current folder.
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
  ["scim"],
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

/** The folders and files inside some folders of `src`, in the same way. "*" is all that is not listed. */
const INSIDE = {
  cli: [["commands"], ["*"], ["usage-error.ts", "print.ts"]],
  web: [["*"], ["account", "branding"], ["sign-in"], ["links"], ["frame"]],
  "web/sign-in": [
    ["sign-in.ts"],
    ["take-step.ts"],
    ["flow.ts"],
    ["earlier-proofs.ts"],
    ["password", "provider", "code", "register", "reset", "identify.ts", "address.ts"],
    ["passkey"],
    ["first-page"],
    ["*"],
  ],
  "web/account": [["account.ts"], ["profile", "credentials", "provider", "sessions", "data"], ["first-page"], ["*"]],
  "sign-in": [["password", "passkey", "provider", "register", "reset", "import-warnings.ts"], ["code"], ["*"]],
};

/** Rooms that only the listed rooms may import, even though other rooms are above them too. */
const IMPORTERS = { http: ["cli", "server", "app.ts", "rpc", "oidc", "web", "scim", "http"] };

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
  "limits.ts",
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
 * The console runs in the browser: its files import from these folders, what reads, checks and sends the users of an import, which the
 * command line uses too, which address is none, which color is readable, and the types of events. No other file of the server. What is reached from there, other than types, imports
 * only these packages.
 */
const CONSOLE = {
  folder: "console",
  sources: ["console", "gen", "clients"],
  shared: [
    "src/moving/",
    "src/config/config-error.ts",
    "src/fields/no-address.ts",
    "src/branding/accent.ts",
    "src/events/catalogue.ts",
  ],
  /** In the same order as `ROOMS`. */
  rooms: [
    ["main.tsx"],
    ["app.tsx"],
    ["shell"],
    ["routes.tsx"],
    [
      ...[
        "screens/home.tsx",
        "screens/notice.tsx",
        "screens/overview",
        "screens/user",
        "screens/import",
        "screens/apps",
      ],
      ...["screens/apis", "screens/webhooks", "screens/scim", "screens/sign-in", "screens/orgs", "screens/instance"],
    ],
    ["screens/members", "screens/messages", "screens/idps", "screens/audit"],
    ["screens/users"],
    ["parts"],
    ["state"],
    ["auth"],
    ["api"],
    ["texts"],
    ["settings.ts"],
  ],
  packages: /^(?:@bufbuild\/protobuf|@connectrpc\/connect|@streamparser\/json|csv-parse\/sync)(?:\/|$)/,
};

/** Folders with code that may import from `src/` too. */
const OTHER_SOURCES = ["test", "scripts", "bench"];

/** Allowed import from outside `src/`, only by `main.ts`. */
const PACKAGE_FILE = "package.json";

const root = resolve(process.argv[2] ?? ".");
const source = join(root, "src");
const files = listFiles(source);
const violations = files.length === 0 ? [`${source} contains no files`] : [];
const graph = new Map();
/** What each file imports when it runs: not only types. */
const running = new Map();
const exported = new Map();
/** What files import from others, as `path#name`, and `path#*` for all that a file exports. */
const used = new Set();

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
  if (!isCommon(file) && !ROOMS.flat().includes(roomOf(file))) violations.push(`${name(file)}: is in an unknown room`);
  for (const target of imports) {
    const problem = describeProblem(file, target);
    if (problem !== undefined) violations.push(`${name(file)} imports ${name(target)}: ${problem}`);
  }
}
const reached = new Set();
const consoleFiles = listFiles(join(root, CONSOLE.folder));
for (const file of consoleFiles) {
  const { imports, unreadable, values } = readImports(file);
  violations.push(...unreadable.map((what) => `${name(file)}: ${what}`));
  const own = imports.filter((target) => consoleFiles.includes(target));
  graph.set(file, own);
  const room = consoleRoomOf(file);
  if (room === undefined) violations.push(`${name(file)}: is in an unknown room`);
  for (const target of own) {
    const problem = describeOrder(room, consoleRoomOf(target), CONSOLE.rooms);
    if (problem !== undefined) violations.push(`${name(file)} imports ${name(target)}: ${problem}`);
  }
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
for (const [file, targets] of graph) {
  const problems = targets.map((target) => [target, describeInside(file, target)]).filter(([, problem]) => problem);
  violations.push(...problems.map(([target, problem]) => `${name(file)} imports ${name(target)}: ${problem}`));
}
for (const file of OTHER_SOURCES.flatMap((folder) => listFiles(join(root, folder)))) readImports(file);
for (const file of [...files, ...consoleFiles]) {
  const unused = exported.get(file).filter((each) => !used.has(`${file}#${each}`) && !used.has(`${file}#*`));
  violations.push(...unused.map((each) => `${name(file)} exports ${each}: no other file imports it`));
}
for (const cycle of findCycles(graph)) violations.push(`cycle: ${cycle.map(name).join(" → ")}`);

if (violations.length === 0) {
  console.log(`no violations in ${files.length + consoleFiles.length} files`);
} else {
  for (const violation of violations) console.error(violation);
  process.exitCode = 1;
}

/** The code in a folder, without installed packages; none if the folder does not exist. */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).includes("node_modules"))
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
  const [room, other] = [roomOf(file), roomOf(target)];
  const importers = IMPORTERS[other];
  if (importers !== undefined && !importers.includes(room)) return `only ${importers.join(", ")} may import ${other}`;
  return describeOrder(room, other, ROOMS);
}

/** Describes what is wrong with an import inside a folder of `INSIDE`; undefined if it is allowed. */
function describeInside(file, target) {
  const [from, to] = [file, target].map((each) => relative(source, each).replaceAll(sep, "/"));
  for (const [folder, levels] of Object.entries(INSIDE)) {
    if (![from, to].every((path) => path.startsWith(`${folder}/`))) continue;
    const [part, other] = [from, to].map((path) => {
      const [name] = path.slice(folder.length + 1).split("/");
      return levels.flat().includes(name) ? name : "*";
    });
    const problem = describeOrder(part, other, levels);
    if (problem !== undefined) return problem.replaceAll("*", "the rest");
  }
  return undefined;
}

/** Describes what is wrong with an import from a room to another. */
function describeOrder(room, other, rooms) {
  const [from, to] = [room, other].map((each) => rooms.findIndex((level) => level.includes(each)));
  if (from < 0 || to < 0 || from < to) return undefined;
  if (from > to) return `${room} is below ${other}`;
  return room === other ? undefined : `${room} and ${other} are on the same level`;
}

/** The room of a file of the console: the folder or file in `CONSOLE.rooms`. */
function consoleRoomOf(file) {
  const path = relative(join(root, CONSOLE.folder), file).replaceAll(sep, "/");
  return CONSOLE.rooms.flat().find((room) => path === room || path.startsWith(`${room}/`));
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

/**
 * Returns the files and the packages that a file imports, and its imports whose target is not a literal. `values` are the imports that
 * are not only types. Records what it exports, and what it imports from other files.
 */
function readImports(file) {
  const imports = [];
  const packages = [];
  const unreadable = [];
  const values = { imports: [], packages: [] };
  const names = [];
  exported.set(file, names);
  const note = (literal, what, isType = false, parts = ["*"]) => {
    if (literal?.type !== "StringLiteral") {
      unreadable.push(`the target of ${what} must be a literal`);
      return;
    }
    const isFile = /^\.{0,2}\//.test(literal.value);
    const target = isFile ? resolve(dirname(file), literal.value) : literal.value;
    (isFile ? imports : packages).push(target);
    for (const part of parts) used.add(`${target}#${part}`);
    if (!isType) (isFile ? values.imports : values.packages).push(target);
  };
  const options = { syntax: "typescript", tsx: file.endsWith("x"), target: "es2024" };
  visit(parseSync(readFileSync(file, "utf8"), options), (node) => {
    switch (node.type) {
      case "ImportDeclaration":
        return note(node.source, "import", node.typeOnly, node.specifiers.map(importedName));
      case "ExportAllDeclaration":
        return note(node.source, "import", node.typeOnly);
      case "ExportNamedDeclaration":
        names.push(...node.specifiers.map((each) => (each.exported ?? each.orig).value));
        return node.source && note(node.source, "export", node.typeOnly, node.specifiers.map(importedName));
      case "ExportDeclaration":
        return names.push(...declaredNames(node.declaration));
      case "TsImportType":
        return note(node.argument, "import() of a type", true, [node.qualifier?.value ?? "*"]);
      case "CallExpression":
        return node.callee.type === "Import" ? note(node.arguments[0]?.expression, "import()") : undefined;
      case "NewExpression":
        return isUrlOfFile(node) ? note(node.arguments[0]?.expression, "new URL()") : undefined;
    }
  });
  return { imports, packages, unreadable, values };
}

/** The name in the other file of what is imported or re-exported; "*" if it is all. */
function importedName({ type, imported, local, orig }) {
  if (type === "ImportDefaultSpecifier") return "default";
  return type === "ImportNamespaceSpecifier" ? "*" : (imported ?? orig ?? local).value;
}

function declaredNames({ declarations, identifier, id }) {
  return declarations?.flatMap((each) => each.id.value ?? []) ?? [(identifier ?? id).value];
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
