import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseSync } from "@swc/core";
import { REASONS, type Reason } from "../../src/errors.ts";

/** A node of the syntax tree of a file, or any of its properties. */
type Syntax = { readonly [property: string]: Syntax } & {
  readonly type?: string;
  readonly value?: string;
  readonly raw?: string;
};

/** What a declaration says: the names that it uses, and the reasons that it contains. */
interface Scanned {
  readonly names: Set<string>;
  readonly reasons: Set<Reason>;
}

/** A file: what it imports from files, and its declarations. */
interface SourceFile {
  readonly imports: Map<string, { readonly path: string; readonly name: string }>;
  readonly declarations: Map<string, Syntax>;
}

/**
 * Finds the reasons that the operations in `src/rpcs.ts` can give: those that their functions contain as text, in TypeScript or
 * SQL, and the functions and constants that these use, and so on. What an operation gets as a dependency is not followed.
 *
 * @param notFollowed Names of functions that throw what others have decided, or that ignore errors.
 * @returns The reasons by `Service.rpc`, in the case of generated code, such as `ManagementService.addOrg`.
 */
export function findThrownReasons(notFollowed: readonly string[]): Map<string, Set<Reason>> {
  const operations = findOperations(readSource(RPCS));
  return new Map([...operations].map(([name, syntax]) => [name, reasonsFrom(RPCS, syntax, new Set(notFollowed))]));
}

const RPCS = resolve("src/rpcs.ts");

/** The arguments of `implement`, with the operations that both services have. */
function findOperations({ declarations }: SourceFile): Map<string, Syntax> {
  const operations = new Map<string, Syntax>();
  let both: [string, Syntax][] = [];
  visit(declarations.get("providerRpcs"), (node) => {
    if (node.type === "ReturnStatement") both = propertiesOf(node);
  });
  visit(declarations.get("createRpcs"), (node) => {
    if (node.type !== "CallExpression" || node.callee?.value !== "implement") return;
    const [service, , all] = node.arguments as unknown as { readonly expression: Syntax }[];
    const own = propertiesOf(all?.expression);
    const isForOwners = service?.expression.value !== "AuthService";
    for (const [name, syntax] of [...own, ...(isForOwners ? both : [])]) {
      operations.set(`${service?.expression.value}.${name}`, syntax);
    }
  });
  return operations;
}

/** The properties of the outermost object in an expression or function. */
function propertiesOf(syntax: Syntax | undefined): [string, Syntax][] {
  const found: [string, Syntax][] = [];
  visit(syntax, (node) => {
    if (node.type !== "ObjectExpression" || found.length > 0) return;
    for (const { key, value } of node.properties as unknown as Syntax[]) {
      if (key?.value !== undefined) found.push([key.value, value as unknown as Syntax]);
    }
  });
  return found;
}

function reasonsFrom(path: string, syntax: Syntax, notFollowed: ReadonlySet<string>): Set<Reason> {
  const reasons = new Set<Reason>();
  const seen = new Set<Syntax>();
  const follow = (file: string, name: string) => {
    if (notFollowed.has(name)) return;
    const { imports, declarations } = readSource(file);
    const imported = imports.get(name);
    if (imported !== undefined) follow(imported.path, imported.name);
    else read(file, declarations.get(name));
  };
  const read = (file: string, found: Syntax | undefined) => {
    if (found === undefined || seen.has(found)) return;
    seen.add(found);
    const scanned = scan(found);
    for (const reason of scanned.reasons) reasons.add(reason);
    for (const name of scanned.names) follow(file, name);
  };
  read(path, syntax);
  return reasons;
}

function scan(syntax: Syntax): Scanned {
  const names = new Set<string>();
  const reasons = new Set<Reason>();
  const add = (text = "") => {
    if (Object.hasOwn(REASONS, text)) reasons.add(text as Reason);
  };
  visit(syntax, (node) => {
    if (node.type === "Identifier" && node.value !== undefined) names.add(node.value);
    if (node.type === "MemberExpression") names.add(`${node.object?.value}.${node.property?.value}`);
    if (node.type === "StringLiteral") add(node.value);
    if (node.type === "TemplateElement") for (const [, text] of node.raw?.matchAll(/'(\w+)'/g) ?? []) add(text);
    // A change of a user that sends messages of a kind: see `UserChange`.
    if (node.type === "KeyValueProperty" && node.key?.value === "limitedKind") {
      if ((node.value as unknown as Syntax).type === "StringLiteral") add("TOO_MANY_MESSAGES");
    }
  });
  return { names, reasons };
}

const sources = new Map<string, SourceFile>();

function readSource(path: string): SourceFile {
  const known = sources.get(path);
  if (known !== undefined) return known;
  const { imports, declarations }: SourceFile = { imports: new Map(), declarations: new Map() };
  const program = parseSync(readFileSync(path, "utf8"), { syntax: "typescript", target: "es2024" });
  for (const item of program.body) {
    if (item.type !== "ImportDeclaration" || item.typeOnly || !item.source.value.endsWith(".ts")) continue;
    for (const specifier of item.specifiers) {
      const name = specifier.type === "ImportSpecifier" ? specifier.imported?.value : undefined;
      const { value } = specifier.local;
      imports.set(value, { path: resolve(dirname(path), item.source.value), name: name ?? value });
    }
  }
  const declare = (node: Syntax) => {
    const name = (node.identifier ?? node.id)?.value;
    if (name === undefined) return;
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") declarations.set(name, node);
    if (node.type !== "VariableDeclarator" || node.init?.type === undefined) return;
    const init = withoutType(node.init);
    // Code that names a member of a table does not use the others.
    const members = init.type === "ObjectExpression" && /^[A-Z_]+$/.test(name) ? propertiesOf(init) : [];
    if (members.length === 0) declarations.set(name, init);
    for (const [member, value] of members) declarations.set(`${name}.${member}`, value);
  };
  const body = program.body as unknown as Syntax;
  // The operations use constants of the functions around them.
  if (path === RPCS) visit(body, declare);
  else for (const item of topLevel(program.body as unknown as Syntax[])) declare(item);
  const source = { imports, declarations };
  sources.set(path, source);
  return source;
}

/** The declarations of a file that are not inside functions. */
function topLevel(body: readonly Syntax[]): Syntax[] {
  return body.flatMap((item) => {
    const declaration = item.type === "ExportDeclaration" ? item.declaration : item;
    const { declarations } = declaration as { readonly declarations?: unknown };
    return (declarations ?? [declaration]) as Syntax[];
  });
}

/** Calls `look` with each node of the code, but not with those of types, keys and names of members. */
function visit(syntax: Syntax | undefined, look: (node: Syntax) => void): void {
  if (typeof syntax !== "object" || syntax === null) return;
  const node = withoutType(syntax);
  if (node.type?.startsWith("Ts")) return;
  if (node.type !== undefined) look(node);
  const isNamed = (part: string) => {
    const { type } = (node[part] ?? {}) as Syntax;
    return type === "Identifier" && [node.type, part].join() in NAMES;
  };
  for (const part of Object.keys(node)) if (!isNamed(part)) visit(node[part], look);
}

/** Names that do not refer to a declaration, by node and property. */
const NAMES = { "MemberExpression,property": true, "KeyValueProperty,key": true };

function withoutType(syntax: Syntax): Syntax {
  const isTyped = /^Ts(As|Satisfies|NonNull|Const)/.test(syntax.type ?? "");
  return isTyped && syntax.expression !== undefined ? withoutType(syntax.expression) : syntax;
}
