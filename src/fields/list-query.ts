import { isSortKey, type ListPage, type PageQuery, type SortKey } from "../database/list-page.ts";
import { invalidArgument, type Problems } from "../errors.ts";

/** The `query` of a request for a list. Fields that are not given have their defaults. */
interface ListQuery {
  readonly offset?: bigint;
  readonly limit?: number;
  readonly asc?: boolean;
  readonly pageToken?: string;
}

/** The `details` of a list in responses. */
export interface ListDetails {
  readonly totalResult: bigint;
  readonly processedSequence: bigint;
  readonly viewTimestamp: Date;
  readonly nextPageToken: string;
}

/** A checked `ListQuery` of one request. */
export interface CheckedListQuery {
  readonly query: PageQuery;
  /** The owner of the list that `query.after` continues; undefined without a page token. */
  readonly ownerId: string | undefined;
  /** Identifies the request without its page. */
  readonly fingerprint: () => string;
}

const DEFAULT_LIMIT = 100;
const MAX_OFFSET = 10_000n;
/** The first value of a token. Change it when the meaning of the other values changes. */
const VERSION = 1;

/**
 * Checks the rules of `ListQuery` that the schema cannot express, and reads the page token.
 *
 * @param createFingerprint Identifies the request without its page. The page token is bound to it.
 * @param order The requested order.
 */
export function checkListQuery(
  { offset = 0n, limit = 0, asc = false, pageToken = "" }: ListQuery,
  createFingerprint: () => string,
  order: readonly SortKey[],
  problems: Problems,
): CheckedListQuery {
  let known: string | undefined;
  const fingerprint = () => {
    known ??= createFingerprint();
    return known;
  };
  if (offset > MAX_OFFSET) {
    problems.add("query.offset", `must be at most ${MAX_OFFSET}, is ${offset}; continue with query.pageToken instead`);
  } else if (offset > 0n && pageToken !== "") {
    problems.add("query.offset", "must not be given together with query.pageToken");
  }
  const token = pageToken === "" ? undefined : readToken(pageToken, fingerprint(), order);
  if (token?.problem !== undefined) problems.add("query.pageToken", token.problem);
  return {
    query: { offset: Number(offset), limit: limit || DEFAULT_LIMIT, ascending: asc, after: token?.keys },
    ownerId: token?.ownerId,
    fingerprint,
  };
}

/**
 * Returns the requested page of an owner's list.
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another owner's list.
 */
export function pageOf({ query, ownerId }: CheckedListQuery, listOwnerId: string): PageQuery {
  if (ownerId === undefined || ownerId === listOwnerId) return query;
  throw invalidArgument({ field: "query.pageToken", description: "is of another organization" });
}

/** Creates the `details` of a list. */
export function toListDetails(
  { fingerprint }: CheckedListQuery,
  listOwnerId: string,
  { rows, total, last }: ListPage<object>,
  now: Date,
): ListDetails {
  // That of the page: the latest one of all events would reveal how busy other organizations are.
  let processedSequence = 0n;
  for (const row of rows) {
    if ("sequence" in row && typeof row.sequence === "bigint" && row.sequence > processedSequence)
      processedSequence = row.sequence;
  }
  return {
    totalResult: BigInt(total),
    processedSequence,
    viewTimestamp: now,
    nextPageToken: last === undefined ? "" : writeToken([VERSION, fingerprint(), listOwnerId, ...last]),
  };
}

/** The problem of a token of a request with other fields. */
export const OTHER_LIST =
  "belongs to another list: all fields except query.limit must be the same as for the previous page";

/** The problem of a token that another version of the service has made. */
export const OTHER_VERSION = "is of another version of the service; begin with the first page";

function writeToken(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

type Token =
  | { readonly problem: string; readonly keys?: never; readonly ownerId?: never }
  | { readonly problem?: never; readonly keys: readonly string[]; readonly ownerId: string };

function readToken(text: string, fingerprint: string, order: readonly SortKey[]): Token {
  const values = parseToken(text);
  if (values === undefined) return { problem: "must be the nextPageToken of a previous page" };
  const [version, ofRequest, ownerId = "", ...keys] = values;
  if (version !== VERSION) return { problem: OTHER_VERSION };
  if (ofRequest !== fingerprint) return { problem: OTHER_LIST };
  const isValid = keys.length === order.length && order.every(({ type }, n) => isSortKey(type, String(keys[n])));
  return isValid
    ? { keys: keys.map(String), ownerId: String(ownerId) }
    : { problem: "must be the nextPageToken of a previous page" };
}

/** The values of a token; undefined for any other text. Node ignores characters that are not base64url. */
function parseToken(text: string): unknown[] | undefined {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text) return undefined;
  try {
    const values: unknown = JSON.parse(bytes.toString());
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}
