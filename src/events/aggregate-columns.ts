import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { EventValues } from "./append-events.ts";

/** Tables with the columns `sequence` and `changed_at`. */
type AggregateTable = { [T in keyof Tables]: Tables[T] extends { changed_at: Date } ? T : never }[keyof Tables];

type VersionValues = Pick<EventValues, "events" | "now">;

/** The columns `sequence`, `created_at` and `changed_at` of a new aggregate with its first events. */
export function createdColumns<Values extends VersionValues>(param: Param<Values>) {
  return {
    sequence: sql<bigint>`jsonb_array_length(${param("events", "jsonb")})`,
    created_at: sql<Date>`${param("now", "timestamptz")}`,
    changed_at: sql<Date>`${param("now", "timestamptz")}`,
  };
}

/** The columns `sequence` and `changed_at` for an update that appends events to an aggregate. */
export function changedColumns<Values extends VersionValues>(param: Param<Values>, table: AggregateTable) {
  return {
    sequence: sql<bigint>`${sql.ref(`${table}.sequence`)} + jsonb_array_length(${param("events", "jsonb")})`,
    changed_at: changeTime(param, table),
  };
}

/** The columns `sequence`, `created_at` and `changed_at` of an aggregate that is deleted, after its last events. */
export function removedColumns<Values extends VersionValues>(param: Param<Values>, table: AggregateTable) {
  const { sequence, changed_at } = changedColumns(param, table);
  const created_at = sql.ref<Date>(`${table}.created_at`);
  return [sequence.as("sequence"), created_at.as("created_at"), changed_at.as("changed_at")];
}

/** The time of a change: the clock, or the time of the last change if that is later (docs/api.md). */
export function changeTime<Values extends VersionValues>(
  param: Param<Values>,
  table: AggregateTable,
): RawBuilder<Date> {
  return sql<Date>`greatest(${sql.ref(`${table}.changed_at`)}, ${param("now", "timestamptz")})`;
}
