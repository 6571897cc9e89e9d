/** A buf plugin that generates `docs/reference`: a page for each subject of the API, and one for the types they share. */
import { type DescEnum, type DescMessage, type DescMethod, getOption } from "@bufbuild/protobuf";
import { permission } from "../../gen/signet/v1/options_pb.js";
import { REASONS, type Reason } from "../../src/errors.ts";
import { CODES, httpStatusOf } from "../../src/http/error-object.ts";
import { runPlugin } from "../buf-plugin.ts";
import { reachableFrom } from "../openapi/create-schemas.ts";
import { CONDITIONS } from "./conditions.ts";
import { type Call, createPage, describeType, routeOf, summaryOf, TYPES_PAGE, type Types } from "./create-page.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";

const INTRODUCTION = `All calls, from their definitions in \`proto/signet/v1\`. A call of \`ManagementService\` acts on an organization, one of
\`AdminService\` on the instance, and one of \`AuthService\` on the caller. [API](../api.md) says what is the same for all of them, and
[Errors](errors.md) lists the reasons of errors.`;

runPlugin((services) => {
  const methods = services
    .filter(({ typeName }) => typeName.startsWith("signet."))
    .flatMap((service) => service.methods);
  const bySubject = groupCalls(methods);
  const types: Types = { shared: new Set(), requests: reachableFrom(methods.map(({ input }) => input)) };
  const pages = [...bySubject].map(([subject, calls]) => [`${subject.file}.md`, createPage(subject, calls, types)]);
  const all = [
    ...pages,
    ["README.md", createIndex(bySubject)],
    [TYPES_PAGE, createTypesPage(types)],
    ["errors.md", createErrorsPage()],
  ];
  return Object.fromEntries(all.map(([name = "", text = ""]) => [name, `${text}\n`]));
});

/** Describes the types that the pages refer to, directly or through other types. Requires that the pages have been created. */
function createTypesPage(types: Types): string {
  const described = new Map<DescMessage | DescEnum, string>();
  // Describing a type adds those that it refers to.
  for (const desc of types.shared) described.set(desc, describeType(desc, types));
  const sorted = [...described].sort(([a], [b]) => (a.typeName < b.typeName ? -1 : 1)).map(([, text]) => text);
  return ["# Types", "Messages and values that several calls share.", ...sorted].join("\n\n");
}

function createErrorsPage(): string {
  const rows = Object.entries(REASONS).map(([reason, code]) => {
    const isOfRest = !CONDITIONS[reason as Reason].startsWith("gRPC, gRPC-Web");
    const status = isOfRest ? httpStatusOf(code, reason as Reason) : "";
    return `| ${reason} | ${CONDITIONS[reason as Reason]} | ${CODES[code].rpc} ${code.toUpperCase()} | ${status} |`;
  });
  return [
    "# Errors",
    "The reasons of errors, which never change. Those of each call are on its page. [API](../api.md#errors) describes the error " +
      "object, and [when to retry](../api.md#retries).",
    ["| reason | when | code | REST |", "|---|---|---|---|", ...rows].join("\n"),
  ].join("\n\n");
}

/** @throws Error for a call that belongs to no subject. */
function groupCalls(methods: readonly DescMethod[]): Map<Subject, Call[]> {
  const groups = new Map<Subject, Call[]>();
  for (const [name, same] of Map.groupBy(methods, (method) => method.name)) {
    const route = same.map(routeOf).find((found) => found !== undefined);
    const path = route?.replace(/\/\w+\/v1\//, "") ?? `POST ${name.toLowerCase()}`;
    const subject = SUBJECTS.find(({ calls }) => calls.test(path));
    if (subject === undefined) throw new Error(`no subject in scripts/reference/subjects.ts matches "${path}"`);
    groups.set(subject, [...(groups.get(subject) ?? []), { name, methods: same }]);
  }
  return groups;
}

function createIndex(bySubject: ReadonlyMap<Subject, readonly Call[]>): string {
  const sections = [...bySubject].map(([{ file, title }, calls]) => {
    const rows = calls.map(({ name, methods }) => {
      const routes = methods.map((method) => `\`${routeOf(method) ?? "gRPC, gRPC-Web and Connect only"}\``);
      const permissions = methods.map((method) => `\`${getOption(method, permission)}\``);
      const cells = [`[${name}](${file}.md#${name.toLowerCase()})`, routes.join(", "), permissions.join(", ")];
      return `| ${[...cells, summaryOf(methods)].join(" | ")} |`;
    });
    return [
      `## [${title}](${file}.md)`,
      ["| call | REST | permission | |", "|---|---|---|---|", ...rows].join("\n"),
    ].join("\n\n");
  });
  return ["# Reference", INTRODUCTION, ...sections].join("\n\n");
}
