import { type DescField, type DescMessage, type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../../../gen/google/api/annotations_pb.js";
import type { HttpRule } from "../../../gen/google/api/http_pb.js";

/** The method that answers a REST request, and what the path says about its input. */
export interface FoundRoute {
  readonly kind: "found";
  readonly method: DescMethod;
  /** What the body of the request is: `*` the whole input, a top-level field of it by its proto name, or empty for no body. */
  readonly body: string;
  /** Field path by proto names, such as `user_id` or `a.b`, to the decoded text that the path holds for it. */
  readonly variables: ReadonlyMap<string, string>;
}

export type RouteMatch =
  | FoundRoute
  /** The path exists, for these HTTP methods only. */
  | { readonly kind: "wrong-method"; readonly allow: readonly string[] }
  | { readonly kind: "not-found" };

export interface RestRoutes {
  /** Finds the method for an HTTP method and a path, still percent-encoded and without query. Never throws. */
  match(httpMethod: string, path: string): RouteMatch;
}

/**
 * Reads the `google.api.http` options of methods, as google/api/http.proto explains them; methods without one have no
 * route. At each segment of a path a literal wins over `*`, and both over `**`; a path that ends in a known `:verb` is that
 * verb's. A single-segment variable is decoded whole, in others `%2F` stays. Segments for `*` are never empty.
 *
 * Throws for a rule that is malformed, names a field that it must not, or claims what another rule has.
 */
export function createRestRoutes(methods: readonly DescMethod[]): RestRoutes {
  const roots = new Map<string, Branch>();
  for (const method of methods) {
    if (!hasOption(method, http)) continue;
    const rule = getOption(method, http);
    for (const each of [rule, ...rule.additionalBindings]) {
      try {
        if (each !== rule && each.additionalBindings.length > 0)
          throw new Error("additional_bindings cannot be nested");
        addRule(roots, method, each);
      } catch (error) {
        throw new Error(`google.api.http of ${method}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  return {
    match(httpMethod, path) {
      const allow = new Set<string>();
      for (const { root, raw, decoded } of readings(roots, path)) {
        for (const end of ends(root, decoded, 0)) {
          const route = end.get(httpMethod) ?? end.get("*");
          if (route) {
            const variables = new Map(
              route.variables.map((variable) => [variable.path, capture(variable, raw, decoded)]),
            );
            return { kind: "found", method: route.method, body: route.body, variables };
          }
          for (const other of end.keys()) allow.add(other);
        }
      }
      return allow.size > 0 ? { kind: "wrong-method", allow: [...allow].sort() } : { kind: "not-found" };
    },
  };
}

interface Route {
  readonly method: DescMethod;
  readonly body: string;
  readonly variables: readonly Variable[];
}

/** Where templates end, by HTTP method. */
type End = Map<string, Route>;

/** All templates with the same verb that begin alike. */
interface Branch {
  readonly literals: Map<string, Branch>;
  any?: Branch;
  readonly here: End;
  readonly rest: End;
}

interface Variable {
  readonly path: string;
  /** Its segments; without `end` all that remain. */
  readonly start: number;
  readonly end: number | undefined;
  readonly isSingle: boolean;
}

type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "rest" };

const newBranch = (): Branch => ({ literals: new Map(), here: new Map(), rest: new Map() });

/** What a path may mean: something and a verb, or something without one. Nothing when its encoding is malformed. */
function* readings(roots: ReadonlyMap<string, Branch>, path: string) {
  if (!path.startsWith("/")) return;
  const raw = path.slice(1).split("/");
  const decoded = raw.map(decode);
  if (!decoded.every((text) => text !== undefined)) return;
  const last = raw.at(-1) ?? "";
  const colon = last.lastIndexOf(":");
  const verb = colon < 0 ? undefined : decode(last.slice(colon + 1));
  const withVerb = verb && roots.get(verb);
  if (withVerb) {
    const stem = last.slice(0, colon);
    yield { root: withVerb, raw: raw.with(-1, stem), decoded: decoded.with(-1, decode(stem) ?? "") };
  }
  const plain = roots.get("");
  if (plain) yield { root: plain, raw, decoded };
}

/** Ends of the templates that fit, best first. Visits no branch twice, so a request costs at most all templates once. */
function* ends(branch: Branch, segments: readonly string[], depth: number): Generator<End> {
  const segment = segments[depth];
  if (segment === undefined) {
    yield branch.here;
  } else {
    const literal = branch.literals.get(segment);
    if (literal) yield* ends(literal, segments, depth + 1);
    if (branch.any && segment !== "") yield* ends(branch.any, segments, depth + 1);
  }
  yield branch.rest;
}

function capture({ start, end, isSingle }: Variable, raw: readonly string[], decoded: readonly string[]): string {
  if (isSingle) return decoded[start] ?? "";
  const decodeKeepingSlash = (segment: string) =>
    segment
      .split(/(%2f)/i)
      .map((text, index) => (index % 2 === 1 ? text : decodeURIComponent(text)))
      .join("");
  return raw.slice(start, end).map(decodeKeepingSlash).join("/");
}

function addRule(roots: Map<string, Branch>, method: DescMethod, rule: HttpRule): void {
  if (method.methodKind !== "unary") throw new Error("only unary methods can have a route");
  if (rule.$unknown?.length) throw new Error(`field ${rule.$unknown[0]?.no} of the rule is not supported`);
  const [httpMethod, template] = patternOf(rule);
  if (rule.body && rule.body !== "*" && !method.input.fields.some(({ name }) => name === rule.body)) {
    throw new Error(`body: ${method.input.typeName} has no field ${rule.body}`);
  }
  const { segments, variables, verb } = parseTemplate(template);
  for (const { path } of variables) checkVariable(method.input, path);
  if (new Set(variables.map(({ path }) => path)).size < variables.length)
    throw new Error(`${template} names a field twice`);

  let branch = roots.get(verb) ?? newBranch();
  roots.set(verb, branch);
  let end: End | undefined;
  for (const segment of segments) {
    if (end) throw new Error(`${template}: nothing but a verb may follow **`);
    if (segment.kind === "rest") {
      end = branch.rest;
    } else if (segment.kind === "any") {
      branch.any ??= newBranch();
      branch = branch.any;
    } else {
      const next: Branch = branch.literals.get(segment.text) ?? newBranch();
      branch.literals.set(segment.text, next);
      branch = next;
    }
  }
  end ??= branch.here;
  const taken = end.get(httpMethod);
  if (taken) throw new Error(`${httpMethod} ${template} is already the route of ${taken.method}`);
  end.set(httpMethod, { method, body: rule.body, variables });
}

function patternOf({ pattern }: HttpRule): [httpMethod: string, template: string] {
  switch (pattern.case) {
    case undefined:
      throw new Error("the rule has no pattern");
    case "custom":
      if (!/^(?:\*|[!#$%&'*+.^_`|~0-9A-Za-z-]+)$/.test(pattern.value.kind)) throw new Error("kind is no HTTP method");
      return [pattern.value.kind, pattern.value.path];
    default:
      return [pattern.case.toUpperCase(), pattern.value];
  }
}

/** Template = "/" Segments [ ":" LITERAL ]; the grammar is in google/api/http.proto. */
function parseTemplate(template: string): { segments: Segment[]; variables: Variable[]; verb: string } {
  const fail = () => new Error(`${JSON.stringify(template)} is no path template`);
  const parseSegment = (text: string): Segment => {
    if (text === "*") return { kind: "any" };
    if (text === "**") return { kind: "rest" };
    const literal = /^(?:[A-Za-z0-9\-._~!$&'()+,;=:@]|%[0-9A-Fa-f]{2})+$/.test(text) ? decode(text) : undefined;
    if (literal === undefined) throw fail();
    return { kind: "literal", text: literal };
  };
  const { path = "", verb } = /^\/(?<path>.*?)(?::(?<verb>[^:/{}]*))?$/.exec(template)?.groups ?? {};
  const segments: Segment[] = [];
  const variables: Variable[] = [];
  for (const part of path.split(/\/(?![^{]*\})/)) {
    const variable = /^\{(?<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:=(?<pattern>[^{}]+))?\}$/.exec(part)?.groups;
    const inner = (variable ? (variable.pattern ?? "*") : part).split("/").map(parseSegment);
    if (variable?.name) {
      const isRest = inner.at(-1)?.kind === "rest";
      const start = segments.length;
      const end = isRest ? undefined : start + inner.length;
      variables.push({ path: variable.name, start, end, isSingle: inner.length === 1 && !isRest });
    }
    segments.push(...inner);
  }
  if (!template.startsWith("/")) throw fail();
  const verbSegment = verb === undefined ? undefined : parseSegment(verb);
  if (verbSegment && verbSegment.kind !== "literal") throw fail();
  return { segments, variables, verb: verbSegment?.text ?? "" };
}

function checkVariable(input: DescMessage, path: string): void {
  let message: DescMessage | undefined = input;
  const names = path.split(".");
  for (const [index, name] of names.entries()) {
    const field: DescField | undefined = message?.fields.find((each) => each.name === name);
    if (!field) throw new Error(`${input.typeName} has no field ${path}`);
    const isLeaf = index === names.length - 1;
    if (isLeaf && field.fieldKind !== "scalar" && field.fieldKind !== "enum") {
      throw new Error(`${path} must be a scalar or an enum to be held by a path`);
    }
    message = field.fieldKind === "message" ? field.message : undefined;
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
