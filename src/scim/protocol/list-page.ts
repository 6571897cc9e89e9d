import { createHash } from "node:crypto";
import type { SortKey } from "../../database/list-page.ts";
import { type CheckedListQuery, checkListQuery, OTHER_LIST, OTHER_VERSION } from "../../fields/list-query.ts";
import type { Values } from "./attributes.ts";
import type { ScimQuery } from "./read-query.ts";
import { ScimError, type ScimResponse } from "./scim-error.ts";

interface List {
  readonly place: "Users" | "Groups";
  readonly order: readonly SortKey[];
  /** The organization. */
  readonly ownerId: string;
}

/**
 * The page of a query, by index or by cursor (RFC 9865). A cursor is the page token of a list: it has the keys of the last
 * result, and belongs to the organization, filter and order. Nothing is stored for it.
 *
 * @throws ScimError invalidCursor, expiredCursor.
 */
export function toPage(query: ScimQuery, { place, order, ownerId }: List): CheckedListQuery {
  const { filter, sortBy, isDescending, startIndex, count, cursor } = query;
  const limit = Math.max(count, 1);
  const fingerprint = () => {
    const asked = JSON.stringify([place, filter, sortBy, isDescending]);
    return createHash("sha256").update(asked).digest("base64url");
  };
  if (cursor === undefined) {
    const offset = startIndex - 1;
    return { query: { offset, limit, ascending: !isDescending, after: undefined }, ownerId: undefined, fingerprint };
  }
  const add = (_field: string, problem: string) => {
    if (problem === OTHER_VERSION) throw expiredCursor();
    const isOther = problem === OTHER_LIST;
    throw invalidCursor(
      isOther ? "belongs to another list: filter and order must be those of the first page" : problem,
    );
  };
  const page = checkListQuery({ limit, asc: !isDescending, pageToken: cursor }, fingerprint, order, { add });
  if (page.ownerId === undefined || page.ownerId === ownerId) return page;
  throw invalidCursor("is of another organization");
}

function invalidCursor(problem: string): ScimError {
  return new ScimError(400, "invalidCursor", `cursor: ${problem.replace("nextPageToken", "nextCursor")}`);
}

export function expiredCursor(): ScimError {
  return new ScimError(400, "expiredCursor", "cursor: cannot be continued; begin with the first page");
}

interface Shown {
  readonly total: number;
  /** Of a page by index. */
  readonly startIndex?: number;
  /** Of a page by cursor; empty on the last one. */
  readonly nextCursor?: string;
}

/** The response to a query (RFC 7644, section 3.4.2, and RFC 9865, section 2). */
export function toListResponse(
  resources: readonly Values[],
  { total, startIndex, nextCursor = "" }: Shown,
): ScimResponse {
  const body = {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: total,
    ...(startIndex !== undefined && { startIndex }),
    itemsPerPage: resources.length,
    ...(nextCursor !== "" && { nextCursor }),
    Resources: resources,
  };
  return { status: 200, body, outcome: `found ${resources.length}` };
}
