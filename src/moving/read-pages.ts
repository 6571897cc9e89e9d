import type { ListDetails } from "../../gen/signet/v1/list_pb.js";

/** The part of a list that a call returns. */
export interface PageQuery {
  readonly asc: boolean;
  readonly limit: number;
  readonly pageToken: string;
}

type List<Item> = (
  query: PageQuery,
) => Promise<{ readonly details?: ListDetails | undefined; readonly result: readonly Item[] }>;

/** The most items of a response. */
const PAGE = 1_000;

interface Part {
  readonly asc?: boolean;
  /** Items; by default, all. */
  readonly most?: number;
}

/** Reads a list in its order, with one call for every 1,000 items. */
export async function readPages<Item>(list: List<Item>, part?: Part): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of readItems(list, part)) items.push(item);
  return items;
}

/** Yields the items of a list, with one call for every 1,000 that are read. */
export async function* readItems<Item>(
  list: List<Item>,
  { asc = true, most = Number.POSITIVE_INFINITY }: Part = {},
): AsyncGenerator<Item> {
  let left = most;
  let pageToken = "";
  do {
    const { details, result } = await list({ asc, limit: Math.min(PAGE, left), pageToken });
    yield* result;
    left -= result.length;
    pageToken = details?.nextPageToken ?? "";
  } while (pageToken !== "" && left > 0);
}
