import type { Message } from "@bufbuild/protobuf";
import type { Call } from "../../call.ts";
import type { ListResult } from "../../fields/read-list.ts";

/** Creates a function that converts a page of a list to the fields of a response. */
export function listOf<Row, Item>(toItem: (row: Row, call: Call) => Item) {
  return (
    { details, rows }: ListResult<Row>,
    call: Call,
    { sortingColumn = 0 }: Message & { readonly sortingColumn?: number },
  ) => ({ details, sortingColumn, result: rows.map((row) => toItem(row, call)) });
}
