import type { ListDetails } from "../../gen/signet/v1/list_pb.js";

/** The part of a list that a call returns. */
interface PageQuery {
  readonly asc: true;
  readonly limit: number;
  readonly pageToken: string;
}

interface Page<Item> {
  readonly details?: ListDetails | undefined;
  readonly result: readonly Item[];
}

/** The most items of a response. */
const PAGE = 1_000;

/** Reads a whole list in its order, with one call for every 1,000 items. */
export async function readPages<Item>(list: (query: PageQuery) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let pageToken = "";
  do {
    const { details, result } = await list({ asc: true, limit: PAGE, pageToken });
    items.push(...result);
    pageToken = details?.nextPageToken ?? "";
  } while (pageToken !== "");
  return items;
}
