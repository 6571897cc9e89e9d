import { type Expression, type RawBuilder, sql } from "kysely";
import type { MetadataItem } from "./check-metadata.ts";

/** A value in commands and events: in Base64. */
export interface StoredItem {
  readonly key: string;
  readonly value: string;
}

export function toStoredItems(items: readonly MetadataItem[]): StoredItem[] {
  return items.map(({ key, value }) => ({ key, value: Buffer.from(value).toString("base64") }));
}

/** The items of a JSON array as rows of `item`: `key`, `value` in bytes, and `position` from 1. */
export function storedItemsIn(items: Expression<unknown>): RawBuilder<object> {
  return sql`(
    select given_item ->> 'key' as key, decode(given_item ->> 'value', 'base64') as value, position
    from jsonb_array_elements(${items}) with ordinality as listed (given_item, position)) as item`;
}
