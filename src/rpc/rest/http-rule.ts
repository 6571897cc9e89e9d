import { type DescMessage, type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { http } from "../../../gen/google/api/annotations_pb.js";
import type { HttpRule } from "../../../gen/google/api/http_pb.js";

/** The method that serves a REST request, and where the request carries the fields of its input. */
export interface FoundRoute {
  readonly kind: "found";
  readonly method: DescMethod;
  /** The part of the input in the request body: `*` for all of it, the proto name of a field, or empty for no body. */
  readonly body: string;
  /** The fields in the path: proto names, such as `user_id`, with their decoded text. */
  readonly variables: ReadonlyMap<string, string>;
}

type RouteMatch =
  | FoundRoute
  /** The path exists, but only for these HTTP methods. */
  | { readonly kind: "wrong-method"; readonly allow: readonly string[] }
  | { readonly kind: "not-found" };

interface RestRoutes {
  /**
   * Finds the method for an HTTP method and a percent-encoded path without the query. HEAD is served like GET (RFC 9110,
   * section 9.3.2). Never throws.
   */
  match(httpMethod: string, path: string): RouteMatch;
}

/**
 * Reads the `google.api.http` options of methods (google/api/http.proto). Methods without one have no route. Supports
 * `get`, `put`, `post`, `delete`, and `patch` with templates of literals and `{field}`. At each segment of a path, a
 * literal takes precedence over a variable. A variable is never empty.
 *
 * Throws for a rule that is malformed, uses an unsupported feature, names an invalid field, or duplicates the route of
 * another rule.
 */
export function createRestRoutes(methods: readonly DescMethod[]): RestRoutes {
  const root = newBranch();
  for (const method of methods) {
    if (!hasOption(method, http)) continue;
    try {
      addRule(root, method, getOption(method, http));
    } catch (error) {
      throw new Error(`google.api.http of ${method}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return {
    match(httpMethod, path) {
      const segments = path.startsWith("/") ? path.slice(1).split("/").map(decode) : [];
      if (segments.length === 0 || !segments.every((segment) => segment !== undefined)) return { kind: "not-found" };
      const allow = new Set<string>();
      for (const routes of findRoutes(root, segments, 0)) {
        const route = routes.get(httpMethod === "HEAD" ? "GET" : httpMethod);
        if (route)
          return { kind: "found", method: route.method, body: route.body, variables: capture(route, segments) };
        for (const other of routes.keys()) allow.add(other);
        if (routes.has("GET")) allow.add("HEAD");
      }
      return allow.size > 0 ? { kind: "wrong-method", allow: [...allow].sort() } : { kind: "not-found" };
    },
  };
}

/** One rule. Its template has the same number of segments as every path that matches it. */
interface Route {
  readonly method: DescMethod;
  readonly body: string;
  readonly template: readonly Segment[];
}

type Segment = { readonly literal: string } | { readonly variable: string };

/** All templates with the same prefix. */
interface Branch {
  readonly literals: Map<string, Branch>;
  variable?: Branch;
  /** The templates that end here, by HTTP method. */
  readonly routes: Map<string, Route>;
}

const newBranch = (): Branch => ({ literals: new Map(), routes: new Map() });

/** Finds the templates that match a path, best first. Visits each branch at most once. */
function* findRoutes(branch: Branch, segments: readonly string[], depth: number): Generator<Branch["routes"]> {
  const segment = segments[depth];
  if (segment === undefined) {
    yield branch.routes;
    return;
  }
  const literal = branch.literals.get(segment);
  if (literal) yield* findRoutes(literal, segments, depth + 1);
  if (branch.variable && segment !== "") yield* findRoutes(branch.variable, segments, depth + 1);
}

function capture({ template }: Route, segments: readonly string[]): Map<string, string> {
  const variables = new Map<string, string>();
  for (const [index, segment] of template.entries()) {
    if ("variable" in segment) variables.set(segment.variable, segments[index] ?? "");
  }
  return variables;
}

function addRule(root: Branch, method: DescMethod, rule: HttpRule): void {
  const { pattern, body } = rule;
  if (method.methodKind !== "unary") throw new Error("only unary methods can have a route");
  if (rule.additionalBindings.length > 0 || rule.$unknown?.length) {
    throw new Error("only a pattern and a body are supported");
  }
  if (pattern.case === undefined) throw new Error("the rule has no pattern");
  if (pattern.case === "custom") throw new Error("custom HTTP methods are not supported");
  if (body && body !== "*" && !method.input.fields.some(({ name }) => name === body)) {
    throw new Error(`body: ${method.input.typeName} has no field ${body}`);
  }
  const template = parseTemplate(pattern.value);
  checkVariables(method.input, template);

  let branch = root;
  for (const segment of template) {
    let next = "literal" in segment ? branch.literals.get(segment.literal) : branch.variable;
    next ??= newBranch();
    if ("literal" in segment) branch.literals.set(segment.literal, next);
    else branch.variable = next;
    branch = next;
  }
  const httpMethod = pattern.case.toUpperCase();
  const taken = branch.routes.get(httpMethod);
  if (taken) throw new Error(`${httpMethod} ${pattern.value} is already the route of ${taken.method}`);
  branch.routes.set(httpMethod, { method, body, template });
}

/** Parses the supported part of the grammar in google/api/http.proto: `"/" Segment { "/" Segment }`. */
function parseTemplate(template: string): Segment[] {
  const fail = () => new Error(`${JSON.stringify(template)} is not a supported path template`);
  if (!template.startsWith("/")) throw fail();
  return template
    .slice(1)
    .split("/")
    .map((text) => {
      const variable = /^\{([A-Za-z_]\w*)\}$/.exec(text)?.[1];
      if (variable !== undefined) return { variable };
      // Without the colon, which starts a verb.
      const literal = /^(?:[A-Za-z0-9\-._~!$&'()+,;=@]|%[0-9A-Fa-f]{2})+$/.test(text) ? decode(text) : undefined;
      if (literal === undefined) throw fail();
      return { literal };
    });
}

function checkVariables(input: DescMessage, template: readonly Segment[]): void {
  const seen = new Set<string>();
  for (const segment of template) {
    if (!("variable" in segment)) continue;
    const { variable } = segment;
    const field = input.fields.find(({ name }) => name === variable);
    if (!field) throw new Error(`${input.typeName} has no field ${variable}`);
    if (field.fieldKind !== "scalar" && field.fieldKind !== "enum") {
      throw new Error(`${variable} must be a scalar or an enum, because a path holds it`);
    }
    if (seen.has(variable)) throw new Error(`the template names ${variable} twice`);
    seen.add(variable);
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
