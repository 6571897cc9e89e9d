import { decodeText } from "../../fields/bytes.ts";
import { isValues, type Values } from "./attributes.ts";
import type { Projection } from "./project.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

/** A search (RFC 7644, section 3.4.2). */
export interface ScimQuery extends Projection {
  readonly filter: string | undefined;
  readonly sortBy: string | undefined;
  readonly isDescending: boolean;
  /** Of the first result, from 1. */
  readonly startIndex: number;
  readonly count: number;
  /** Of a page by cursor (RFC 9865), of which the first one has an empty cursor; undefined for a page by index. */
  readonly cursor: string | undefined;
}

/** Results per page. */
export const MOST_RESULTS = 100;
/** The highest `startIndex`: what comes before it is read too. */
const MOST_SKIPPED = 100_000;
/** Names of attributes to return, or to leave out. */
const MOST_NAMES = 100;
/** How deep the objects and lists of a body are. No resource has more than 6. */
const MOST_DEPTH = 20;

/** Reads the parameters of a list. @throws ScimError. */
export function readQuery(query: string): ScimQuery {
  const parameters = new URLSearchParams(query);
  return toQuery((name) => parameters.get(name) ?? undefined);
}

/** Reads the body of `/.search`. @throws ScimError. */
export function readSearch(body: Values): ScimQuery {
  return toQuery((name) => body[name]);
}

function toQuery(get: (name: string) => unknown): ScimQuery {
  const startIndex = Math.max(toNumber(get("startIndex"), "startIndex") ?? 1, 1);
  if (startIndex > MOST_SKIPPED) {
    throw new ScimError(400, "tooMany", `startIndex: must be at most ${MOST_SKIPPED}; use a filter instead`);
  }
  const cursor = toCursor(get);
  const count = cursor === undefined ? toNumber(get("count"), "count") : toPageSize(get("count"));
  return {
    cursor,
    filter: toText(get("filter"), "filter"),
    sortBy: toText(get("sortBy"), "sortBy"),
    isDescending: toText(get("sortOrder"), "sortOrder")?.toLowerCase() === "descending",
    startIndex,
    count: Math.min(Math.max(count ?? MOST_RESULTS, 0), MOST_RESULTS),
    attributes: toNames(get("attributes"), "attributes"),
    excludedAttributes: toNames(get("excludedAttributes"), "excludedAttributes"),
  };
}

function toCursor(get: (name: string) => unknown): string | undefined {
  const cursor = get("cursor") ?? undefined;
  if (cursor === undefined) return undefined;
  if (typeof cursor !== "string") throw new ScimError(400, "invalidCursor", "cursor: must be a text");
  if ((get("startIndex") ?? "") === "") return cursor;
  throw new ScimError(400, "invalidCursor", "cursor: must not be given together with startIndex");
}

/** RFC 9865, section 2.1. A larger page than the largest one is that one. */
function toPageSize(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number > 0) return number;
  throw new ScimError(400, "invalidCount", `count: must be a whole number from 1 to ${MOST_RESULTS}`);
}

function toNumber(value: unknown, name: string): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw invalidValue(`${name}: must be a whole number`);
}

function toText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw invalidValue(`${name}: must be a text`);
}

function toNames(value: unknown, name: string): readonly string[] | undefined {
  const names = typeof value === "string" ? value.split(",") : (value ?? []);
  if (!Array.isArray(names) || names.length > MOST_NAMES || names.some((each) => typeof each !== "string")) {
    throw invalidValue(`${name}: must be at most ${MOST_NAMES} names of attributes`);
  }
  return names.length > 0 ? names : undefined;
}

/** Parses the body of a request, in UTF-8. @throws ScimError invalidSyntax. */
export function readJson(body: Buffer): Values {
  try {
    const value: unknown = JSON.parse(decodeText(body) ?? "");
    if (isValues(value) && !isDeeper(value, MOST_DEPTH)) return value;
  } catch {
    // Not JSON.
  }
  throw new ScimError(400, "invalidSyntax", "the body must be an object in JSON");
}

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((each) => isDeeper(each, most - 1));
}
