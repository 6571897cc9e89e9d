import { sql } from "kysely";
import type { ObjectRow } from "../events/object-details.ts";

/** The columns of an API in responses. */
export interface ApiRow extends ObjectRow {
  readonly ownerId: string;
  readonly id: string;
  readonly name: string;
  readonly identifier: string;
  readonly scopes: string[];
  readonly introspectorAppIds: string[];
}

/** The columns of `ApiRow`. */
export const API_COLUMNS = {
  ownerId: sql.ref<string>("apis.owner_id"),
  id: sql.ref<string>("apis.id"),
  name: sql.ref<string>("apis.name"),
  identifier: sql.ref<string>("apis.identifier"),
  scopes: sql.ref<string[]>("apis.scopes"),
  introspectorAppIds: sql<string[]>`apis.introspector_app_ids::text[]`,
  sequence: sql.ref<bigint>("apis.sequence"),
  created_at: sql.ref<Date>("apis.created_at"),
  changed_at: sql.ref<Date>("apis.changed_at"),
};
