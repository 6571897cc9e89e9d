import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  ScalarType,
} from "@bufbuild/protobuf";
import { http } from "../../gen/google/api/annotations_pb.js";
import { permission } from "../../gen/signet/v1/options_pb.js";
import { nameInPackage, usedValues } from "../openapi/code-rules.ts";
import { descriptionOf, paragraphsOf } from "../openapi/comments.ts";
import { requestExample, responseExample } from "../openapi/create-examples.ts";
import { ERRORS } from "../openapi/error-responses.ts";
import { isRequired } from "../openapi/rules.ts";
import { CALL_EVENTS } from "./call-events.ts";
import type { Subject } from "./subjects.ts";

/** Calls of the same name, for an organization and for the instance. */
export interface Call {
  readonly name: string;
  readonly methods: readonly DescMethod[];
}

/** Where the page of each message and enum is that calls share. */
export const TYPES_PAGE = "types.md";

/** The messages and enums of all pages. */
export interface Types {
  /** Those that several calls share, collected while the pages are created. */
  readonly shared: Set<DescMessage | DescEnum>;
  /** All messages of requests. */
  readonly requests: ReadonlySet<DescMessage>;
}

/** The page of a subject. */
export function createPage({ title, guides }: Subject, calls: readonly Call[], types: Types): string {
  const list = calls.map(({ name, methods }) => `| [${name}](#${name.toLowerCase()}) | ${cell(summaryOf(methods))} |`);
  return [
    `# ${title}`,
    "[Errors](../api.md#errors), [retries](../api.md#retries), [lists](../api.md#lists) and [field rules](../api.md#field-rules) " +
      `are the same for all calls. Read also: ${guides}.`,
    ["| call | |", "|---|---|", ...list].join("\n"),
    ...calls.map((call) => describeCall(call, types)),
  ].join("\n\n");
}

/** The first sentence of the comment of the calls. */
export function summaryOf([method]: readonly DescMethod[]): string {
  const [first = ""] = method === undefined ? [] : paragraphsOf(method);
  return first.match(/^.*?\.(?= |$)/)?.[0].slice(0, -1) ?? first;
}

/** Such as `PUT /management/v1/users/{userId}/phone`. Undefined for calls that REST does not have. */
export function routeOf(method: DescMethod): string | undefined {
  const { pattern } = getOption(method, http);
  if (pattern.case === undefined || pattern.case === "custom") return undefined;
  const jsonName = (name: string) => method.input.fields.find((field) => field.name === name)?.jsonName ?? name;
  return `${pattern.case.toUpperCase()} ${pattern.value.replace(/\{(\w+)\}/g, (_, name: string) => `{${jsonName(name)}}`)}`;
}

function describeCall({ name, methods }: Call, types: Types): string {
  const parts = [`## ${name}`, describeWays(methods)];
  const described = methods.filter((method, n) => n === 0 || !hasSameTexts(method, methods[0]));
  for (const method of described) {
    if (described.length > 1) parts.push(`### ${method.parent.name}.${name}`);
    const paragraphs = paragraphsOf(method);
    parts.push(...paragraphs.filter((text) => !ERRORS.test(text)));
    parts.push(describeFields("request", method.input, types));
    parts.push(describeFields("response", method.output, types));
    parts.push(...paragraphs.filter((text) => ERRORS.test(text)).map(markReasons));
  }
  const events = CALL_EVENTS[name];
  if (events !== undefined) parts.push(`[Events](event-types.md): ${events}.`);
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Whether a call for the instance only has another path and permission than that for an organization. */
function hasSameTexts(method: DescMethod, other: DescMethod | undefined): boolean {
  return method.input === other?.input && method.output === other.output;
}

function describeWays(methods: readonly DescMethod[]): string {
  const rows = methods.map((method) => {
    const route = routeOf(method);
    const name = `\`${method.parent.name}.${method.name}\`${method.proto.options?.deprecated ? " (deprecated)" : ""}`;
    return `| ${name} | ${route === undefined ? "" : `\`${route}\``} | \`${getOption(method, permission)}\` |`;
  });
  return ["| call | REST | permission |", "|---|---|---|", ...rows].join("\n");
}

/** A table of the fields, and an example. Messages that belong to the call are part of its table. */
function describeFields(kind: "request" | "response", desc: DescMessage, types: Types): string {
  const rows = rowsOf(desc, kind === "request", types);
  if (rows.length === 0) return "";
  const example = kind === "request" ? requestExample(desc) : responseExample(desc);
  return `${toTable(kind, rows)}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}

/** The table of a message that several calls share, or the values of an enum. */
export function describeType(desc: DescMessage | DescEnum, types: Types): string {
  const name = nameInPackage(desc);
  const text = descriptionOf(desc);
  if (desc.kind === "enum") {
    const rows = usedValues(desc, types.requests).map(
      (value) => `| \`${value.name}\` | ${cell(descriptionOf(value))} |`,
    );
    return [`## ${name}`, text, ["| value | |", "|---|---|", ...rows].join("\n")].filter(Boolean).join("\n\n");
  }
  return [`## ${name}`, text, toTable("field", rowsOf(desc, false, types))].filter(Boolean).join("\n\n");
}

function toTable(kind: string, rows: readonly string[]): string {
  return [`| ${kind} | type | |`, "|---|---|---|", ...rows].join("\n");
}

function rowsOf(
  desc: DescMessage,
  isRequest: boolean,
  types: Types,
  prefix = "",
  within: readonly DescMessage[] = [desc],
): string[] {
  return desc.fields.flatMap((field): string[] => {
    const { message } = field;
    const name = `${prefix}${field.jsonName}${field.fieldKind === "list" && message ? "[]" : ""}`;
    const isInline = message !== undefined && message.parent !== undefined && !within.includes(message);
    const note = [
      isRequest && isRequired(field) && !/\bRequired\./.test(descriptionOf(field)) ? "Required." : "",
      field.proto.options?.deprecated ? "Deprecated." : "",
      field.oneof ? `One of \`${field.oneof.fields.map(({ jsonName }) => jsonName).join("`, `")}\`.` : "",
      descriptionOf(field),
      field.enum?.parent === undefined ? "" : describeValues(field.enum, types),
    ];
    const row = `| \`${name}\` | ${typeOf(field, types, isInline)} | ${cell(note.filter(Boolean).join(" "))} |`;
    if (!isInline || field.fieldKind === "map") return [row];
    return [row, ...rowsOf(message, isRequest, types, `${name}.`, [...within, message])];
  });
}

function typeOf(field: DescField, types: Types, isInline: boolean): string {
  const one = isInline ? "object" : nameType(field.message ?? field.enum ?? field.scalar, types);
  if (field.fieldKind === "list") return `list of ${one}`;
  return field.fieldKind === "map" ? `map to ${one}` : one;
}

function nameType(type: DescMessage | DescEnum | ScalarType | undefined, types: Types): string {
  if (type === undefined) throw new Error("a field has no type");
  if (typeof type === "number") return ScalarType[type].toLowerCase();
  return type.kind === "enum" && type.parent !== undefined ? "enum" : refer(type, types);
}

/** The values of an enum that belongs to one message. */
function describeValues(desc: DescEnum, types: Types): string {
  return usedValues(desc, types.requests)
    .map((value) => `\`${value.name}\`: ${descriptionOf(value)}`)
    .join(" ");
}

function refer(desc: DescMessage | DescEnum, types: Types): string {
  const wellKnown = WELL_KNOWN[desc.typeName];
  if (wellKnown !== undefined) return wellKnown;
  if (desc.typeName.startsWith("google.")) throw new Error(`${desc.typeName} is not supported`);
  types.shared.add(desc);
  return `[${nameInPackage(desc)}](${TYPES_PAGE}#${nameInPackage(desc).toLowerCase().replace(/[^\w]/g, "")})`;
}

const WELL_KNOWN: Readonly<Record<string, string>> = {
  "google.protobuf.Timestamp": "time",
  "google.protobuf.Duration": "duration",
  "google.protobuf.FieldMask": "names of fields, separated by commas",
  "google.protobuf.Struct": "any JSON object",
  "google.protobuf.Any": "any message",
};

/** Reasons of errors as code. */
function markReasons(text: string): string {
  return text.replace(/\b[A-Z]+_[A-Z_]+\b/g, "`$&`");
}

/** The text of a cell: one line without the character that ends it. */
function cell(text: string): string {
  return text.replace(/\s*\n+\s*/g, " ").replaceAll("|", "\\|");
}
