import { createHash } from "node:crypto";
import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { type ListQuery, TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import type { Call } from "../../call.ts";
import type { SortKey } from "../../database/list-page.ts";
import type { TextMatch } from "../../database/text-match.ts";
import type { Problems } from "../../errors.ts";
import { checkListQuery } from "../../fields/list-query.ts";
import type { ListResult } from "../../fields/read-list.ts";

/** A request for a list. Its other fields are the sorting and the filters. */
type ListRequest = Message & { readonly query?: ListQuery | undefined };

/**
 * Creates the conversion of a request for a list: its page, with the page token bound to all other fields of the request,
 * and the other fields for the operation.
 *
 * @param order The requested order.
 */
export function searchOf<Request extends ListRequest, Fields extends object = object>(
  order: readonly SortKey[] | ((request: Request) => readonly SortKey[]),
  toFields?: (request: Request, problems: Problems) => Fields,
) {
  return (request: Request, problems: Problems, schema: DescMessage) => {
    const keys = typeof order === "function" ? order(request) : order;
    const page = checkListQuery(request.query ?? {}, () => createFingerprint(schema, request), keys, problems);
    return { page, ...(toFields?.(request, problems) as Fields) };
  };
}

/** The field of a condition. */
type AnyQuery =
  | { readonly case: string; readonly value: unknown }
  | { readonly case: undefined; readonly value?: undefined };

/** The conversion of each kind of condition. */
export type Conversions<Query extends AnyQuery, Condition> = {
  readonly [Case in NonNullable<Query["case"]>]: (
    value: Extract<Query, { readonly case: Case }>["value"],
    problems: Problems,
    at: string,
  ) => Condition;
};

/** Creates the conversion of the conditions in `queries`. */
export function conditionsOf<Message extends { readonly query: AnyQuery }, Condition>(
  conversions: Conversions<Message["query"], Condition>,
) {
  return (queries: readonly Message[], problems: Problems): Condition[] =>
    queries.flatMap(({ query }, index) => convertQuery(conversions, query, problems, `queries[${index}]`) ?? []);
}

/** Converts a condition. Returns undefined, and adds the problem, if the field is empty. */
export function convertQuery<Query extends AnyQuery, Condition>(
  conversions: Conversions<Query, Condition>,
  query: Query,
  problems: Problems,
  at: string,
): Condition | undefined {
  const byCase = conversions as Readonly<Record<string, (value: unknown, problems: Problems, at: string) => Condition>>;
  const convert = query.case && byCase[query.case];
  if (convert) return convert(query.value, problems, at);
  problems.add(at, "must contain a condition");
  return undefined;
}

function createFingerprint(schema: DescMessage, request: ListRequest): string {
  const bytes = toBinary(schema, { ...request, query: undefined } as Message, { writeUnknownFields: false });
  return createHash("sha256")
    .update(`${schema.typeName} ${request.query?.asc ?? false}\n`)
    .update(bytes)
    .digest("base64url")
    .slice(0, 16);
}

/** Converts a method. Unknown methods, which the schema rejects, mean equality here. */
export function toTextMatch(method: TextQueryMethod): TextMatch {
  return MATCHES[method] ?? MATCHES[TextQueryMethod.EQUALS];
}

const MATCHES: Readonly<Record<TextQueryMethod, TextMatch>> = {
  [TextQueryMethod.EQUALS]: { part: "whole", ignoresCase: false },
  [TextQueryMethod.EQUALS_IGNORE_CASE]: { part: "whole", ignoresCase: true },
  [TextQueryMethod.STARTS_WITH]: { part: "start", ignoresCase: false },
  [TextQueryMethod.STARTS_WITH_IGNORE_CASE]: { part: "start", ignoresCase: true },
  [TextQueryMethod.CONTAINS]: { part: "any", ignoresCase: false },
  [TextQueryMethod.CONTAINS_IGNORE_CASE]: { part: "any", ignoresCase: true },
  [TextQueryMethod.ENDS_WITH]: { part: "end", ignoresCase: false },
  [TextQueryMethod.ENDS_WITH_IGNORE_CASE]: { part: "end", ignoresCase: true },
};

/** The name that a number of an enum has in a search; undefined for a number without one, which stands for all. */
export function nameOf<Name extends string>(numbers: Readonly<Record<Name, number>>, number: number): Name | undefined {
  return (Object.keys(numbers) as Name[]).find((name) => numbers[name] === number);
}

/** Creates a function that converts a page of a list to the fields of a response. */
export function listOf<Row, Item>(toItem: (row: Row, call: Call) => Item) {
  return (
    { details, rows }: ListResult<Row>,
    call: Call,
    { sortingColumn = 0 }: Message & { readonly sortingColumn?: number },
  ) => ({ details, sortingColumn, result: rows.map((row) => toItem(row, call)) });
}
