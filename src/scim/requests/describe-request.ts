import { isId } from "../../crypto/secrets.ts";
import { GROUP_SCHEMAS } from "../groups/group-schemas.ts";
import type { Attribute, Schema } from "../protocol/attributes.ts";
import { isValues } from "../protocol/attributes.ts";
import { type Filter, parseFilter } from "../protocol/parse-filter.ts";
import type { ScimResponse } from "../protocol/scim-error.ts";
import { READ_SCHEMAS } from "../users/user-schemas.ts";
import type { LoggedRequest } from "./request-log.ts";

/** A request as it arrived: the decoded segments below `/scim/v2/`, and the query. */
interface Arrived {
  readonly method: string;
  readonly segments: readonly string[];
  readonly query: string;
}

/**
 * Describes a request and its response for the log. Nothing that a directory has written about a person is in it, because
 * it would remain when the person is removed: of a filter only the attributes and operators, of a path only ids.
 */
export function describeRequest(
  { method, segments, query }: Arrived,
  response: ScimResponse,
  { at, sender, isTrial }: { readonly at: Date; readonly sender: string; readonly isTrial: boolean },
): LoggedRequest {
  const { status, body, outcome = "found", userId } = response;
  const [, id] = segments;
  const about = userId ?? (segments[0] === "Users" && id !== undefined && isId(id) ? id : null);
  const { detail } = isValues(body) && status >= 400 ? body : {};
  return {
    at,
    method: /^[A-Z]{1,10}$/.test(method) ? method : "…",
    path: describePath(segments, query),
    status,
    outcome: isTrial ? (IN_TRIAL[outcome] ?? outcome) : outcome,
    detail: toText(typeof detail === "string" ? detail : "", LONGEST_DETAIL),
    userId: about?.toLowerCase() ?? null,
    sender: toText(sender, LONGEST_SENDER),
  };
}

const LONGEST_DETAIL = 500;
const LONGEST_SENDER = 200;

const IN_TRIAL: Readonly<Record<string, string>> = {
  added: "would add",
  changed: "would change",
  deactivated: "would deactivate",
  unchanged: "would leave unchanged",
  removed: "would remove",
};

/** A text that the database can store. */
function toText(text: string, longest: number): string {
  return text.slice(0, longest).toWellFormed().replaceAll("\0", "");
}

const PLACES: ReadonlySet<string> = new Set([
  ...["Users", "Groups", "Bulk", ".search", "Me", "Schemas", "ResourceTypes", "ServiceProviderConfig"],
]);

function describePath([place = "", ...others]: readonly string[], query: string): string {
  const known = [PLACES.has(place) ? place : HIDDEN, ...others.slice(0, 1).map((id) => (isKnown(id) ? id : HIDDEN))];
  const parameters = new URLSearchParams(query);
  const filter = parameters.get("filter");
  const shown = [
    ...(filter === null ? [] : [`filter=${describeFilter(filter)}`]),
    ...["startIndex", "count"].flatMap((name) => {
      const value = parameters.get(name) ?? "";
      return /^\d{1,9}$/.test(value) ? [`${name}=${value}`] : [];
    }),
  ];
  return `/${known.join("/")}${shown.length === 0 ? "" : `?${shown.join("&")}`}`;
}

const HIDDEN = "…";

/** Ids of users and groups, and names of documents. */
function isKnown(id: string): boolean {
  return /^(?:[0-9a-f-]{36}(?:\.[\w-]{1,200})?|\.search|User|Group|urn:ietf:[\w:.]{1,100})$/i.test(id);
}

function describeFilter(text: string): string {
  try {
    return describe(parseFilter(text));
  } catch {
    return HIDDEN;
  }
}

function describe(filter: Filter): string {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters
        .map((each) => (each.kind === "or" ? `(${describe(each)})` : describe(each)))
        .join(` ${filter.kind} `);
    case "not":
      return `not (${describe(filter.filter)})`;
    case "compare":
      return `${NAMES.get(filter.path) ?? HIDDEN} ${filter.operator}`;
    default:
      return filter satisfies never;
  }
}

/** The paths of attributes, by themselves in lower case: any other word of a filter could be a name. */
const NAMES: ReadonlyMap<string, string> = new Map(
  ["id", "meta.created", "meta.lastModified", ...[...READ_SCHEMAS, ...GROUP_SCHEMAS].flatMap(pathsOf)].map((path) => [
    path.toLowerCase(),
    path,
  ]),
);

function pathsOf({ id, isExtension, attributes }: Schema): string[] {
  const paths = attributes.flatMap(({ name, subAttributes = [] }: Attribute) => [
    name,
    ...subAttributes.map((inner) => `${name}.${inner.name}`),
  ]);
  const whole = paths.map((path) => `${id}:${path}`);
  return isExtension ? whole : [...paths, ...whole];
}
