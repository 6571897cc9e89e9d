import { type Expression, type RawBuilder, sql } from "kysely";
import { NOTHING } from "../database/command-list.ts";
import type { Param } from "../database/prepare.ts";
import { prepareWrite, type Write } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { changedColumns } from "./aggregate-columns.ts";
import { appendEvents, type EventValues } from "./append-events.ts";
import type { ObjectRow } from "./object-details.ts";

/** How a statement changes one object. `refuse` and `differs` read the stored object from `held`, as locked. */
export interface Change<Table extends keyof Tables, Values extends object, Refusal extends string> {
  /** Why the object cannot be changed, or null. */
  readonly refuse?: (given: Param<EventValues & Values>) => RawBuilder<Refusal | null>;
  /** Whether a given value differs from the stored one. Otherwise, nothing is written. By default, it does. */
  readonly differs?: (given: Param<Values>) => RawBuilder<boolean>;
  /** The columns to write, besides those of every change. They may read the table. */
  readonly set: (given: Param<Values>) => { readonly [Column in keyof Tables[Table]]?: Expression<unknown> };
  /** Writes rows of another table, for the object whose `id` the part `changed` returns. */
  readonly writes?: RawBuilder<object> | ((given: Param<EventValues & Values>) => RawBuilder<object>);
}

/** The object after the change, except that `state` has its earlier value. */
export interface ChangedObject<Refusal extends string> extends ObjectRow {
  readonly state: "active" | "inactive";
  readonly refusal: Refusal | null;
}

/** Tables of objects with an owner and a state. */
type ChangedTable = "apps" | "idps" | "webhooks";

export type ChangeStatement<Values extends object, Refusal extends string> = Write<
  EventValues & Values,
  ChangedObject<Refusal>
>;

/**
 * Prepares a statement that locks an object of an owner, decides, changes it, and appends its events. It returns no row
 * if the owner has no such object.
 *
 * It decides based on the latest version of the row, so concurrent changes run one after another, also those of rows
 * that refer to the object.
 */
export function prepareChange<Values extends object, Refusal extends string, Table extends ChangedTable>(
  table: Table,
  { refuse = () => sql`null::text`, differs = () => sql`true`, set, writes = NOTHING }: Change<Table, Values, Refusal>,
): ChangeStatement<Values, Refusal> {
  return prepareWrite<EventValues & Values, ChangedObject<Refusal>>(
    (db, param, returnRows) => {
      const given = param as unknown as Param<Values>;
      const event = param as unknown as Param<EventValues>;
      // Kysely cannot check statements of a generic table.
      const name: ChangedTable = table;
      return returnRows(
        db
          .with("held", () => holdObject(name, event))
          .with("decided", () => decide(refuse(param), differs(given)))
          .with("changed", (query) =>
            query
              .updateTable(name)
              .from("decided")
              .set({ ...set(given), ...changedColumns(event, name) } as object)
              .whereRef(`${name}.owner_id`, "=", "decided.owner_id")
              .whereRef(`${name}.id`, "=", "decided.id")
              .where("decided.differs", "=", true)
              .where("decided.refusal", "is", null)
              .returning([`${name}.id`, `${name}.sequence`, `${name}.changed_at`]),
          )
          .with("others", () => (typeof writes === "function" ? writes(param) : writes))
          .with("appended", () => appendEvents(event, "changed"))
          .with("result", () => RESULT),
      );
    },
    { isDone: sql<boolean>`result.refusal is null` },
  );
}

/** The part that locks the object, and reads the latest version of its row. */
export function holdObject(table: ChangedTable | "apis", event: Param<EventValues>): RawBuilder<object> {
  return sql`(
    select * from ${sql.table(table)}
    where owner_id = ${event("ownerId", "uuid")} and id = ${event("aggregateId", "uuid")}
    for update)`;
}

interface Decided extends Pick<ObjectRow, "sequence" | "created_at" | "changed_at"> {
  owner_id: string;
  id: string;
  refusal: string | null;
  differs: boolean;
}

function decide(refusal: RawBuilder<string | null>, differs: RawBuilder<boolean>): RawBuilder<Decided> {
  return sql`(
    select owner_id, id, sequence, created_at, changed_at, state, ${refusal} as refusal, ${differs} as differs
    from held)`;
}

const RESULT = sql<object>`(
  select decided.state, decided.refusal, decided.created_at, coalesce(changed.sequence, decided.sequence) as sequence,
    coalesce(changed.changed_at, decided.changed_at) as changed_at
  from decided left join changed on true)`;
