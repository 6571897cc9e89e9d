import { type RawBuilder, sql } from "kysely";
import { NOTHING } from "../database/command-list.ts";
import type { Param } from "../database/prepare.ts";
import { prepareWrite, type Write } from "../database/prepare-write.ts";
import { removedColumns } from "./aggregate-columns.ts";
import { appendEvents, type EventValues } from "./append-events.ts";
import type { ObjectRow } from "./object-details.ts";
import { holdObject } from "./prepare-change.ts";

/** How a statement removes one object. */
export interface Removal<Values extends object, Refusal extends string> {
  /** Why the object cannot be removed, or null. Reads the stored object from `held`, as locked. */
  readonly refuse?: (given: Param<EventValues & Values>) => RawBuilder<Refusal | null>;
  /** A further part of the statement, which may refer to the row `removed` with the `id`. */
  readonly writes?: RawBuilder<object>;
}

/** The object after its last event. */
export interface RemovedObject<Refusal extends string> extends ObjectRow {
  readonly refusal: Refusal | null;
}

/**
 * Prepares the statement that removes an object of an owner and appends its last events. It returns no row if there is no
 * such object.
 */
export function prepareRemoval<Values extends object = object, Refusal extends string = never>(
  table: "apis" | "apps" | "webhooks",
  { refuse = () => sql`null::text`, writes = NOTHING }: Removal<Values, Refusal> = {},
): Write<EventValues & Values, RemovedObject<Refusal>> {
  return prepareWrite<EventValues & Values, RemovedObject<Refusal>>(
    (db, param, returnRows) => {
      const event = param as unknown as Param<EventValues>;
      return returnRows(
        db
          .with("held", () => holdObject(table, event))
          .with(
            "decided",
            () => sql<RemovedObject<Refusal> & { id: string }>`(
              select id, sequence, created_at, changed_at, ${refuse(param)} as refusal from held)`,
          )
          .with(
            "removed",
            () => sql<ObjectRow & { id: string }>`(
              delete from ${sql.table(table)} using decided
              where ${sql.ref(`${table}.owner_id`)} = ${event("ownerId", "uuid")}
                and ${sql.ref(`${table}.id`)} = decided.id and decided.refusal is null
              returning ${sql.ref(`${table}.id`)}, ${sql.join(removedColumns(event, table))})`,
          )
          .with("written", () => writes)
          .with("appended", () => appendEvents(event, "removed"))
          .with("result", () => RESULT),
      );
    },
    { isDone: sql<boolean>`result.refusal is null` },
  );
}

const RESULT = sql<object>`(
  select decided.refusal, decided.created_at, coalesce(removed.sequence, decided.sequence) as sequence,
    coalesce(removed.changed_at, decided.changed_at) as changed_at
  from decided left join removed on true)`;
