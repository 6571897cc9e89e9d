import { type Expression, type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import { prepareWrite, type Write } from "../database/prepare-write.ts";
import type { Tables } from "../database/tables.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../events/append-events.ts";
import type { ObjectRow } from "../events/object-details.ts";

/** The provider after the change, except that `state` has its earlier value. */
export interface ChangedIdp extends ObjectRow {
  readonly state: "active" | "inactive";
  /** Whether nothing was written because of the provider's state. */
  readonly is_refused: boolean;
}

/** A change of one provider. Expressions read the stored provider from `idps`. */
export interface IdpChange<Values extends object> {
  /** Whether the state of the provider does not allow the change. */
  readonly isRefused?: RawBuilder<boolean>;
  /** Whether a given value differs from the stored one. Otherwise nothing is written. */
  readonly differs?: (param: Param<Values>) => RawBuilder<boolean>;
  /** The columns to write, besides those of every change. */
  readonly set: (param: Param<Values>) => { readonly [Column in keyof Tables["idps"]]?: Expression<unknown> };
}

/**
 * Prepares a statement that changes one provider of an owner, and appends the events. It returns no row if the owner
 * has no such provider.
 *
 * The statement locks the provider first, and decides based on the latest version of the row, so concurrent changes run
 * one after another.
 */
export function prepareIdpChange<Values extends object>({
  isRefused = sql<boolean>`false`,
  differs = () => sql<boolean>`true`,
  set,
}: IdpChange<Values>): Write<EventValues & Values, ChangedIdp> {
  return prepareWrite<EventValues & Values, ChangedIdp>(
    (db, param) => {
      const given = param as unknown as Param<Values>;
      const event = param as unknown as Param<EventValues>;
      return db
        .with("held", (query) =>
          query
            .selectFrom("idps")
            .select(["owner_id", "id", "sequence", "created_at", "changed_at", "state"])
            .select([isRefused.as("is_refused"), differs(given).as("differs")])
            .where("owner_id", "=", event("ownerId", "uuid"))
            .where("id", "=", event("aggregateId", "uuid"))
            .forNoKeyUpdate(),
        )
        .with("changed", (query) =>
          query
            .updateTable("idps")
            .from("held")
            .set({ ...set(given), ...changedColumns(event, "idps") } as object)
            .whereRef("idps.owner_id", "=", "held.owner_id")
            .whereRef("idps.id", "=", "held.id")
            .where("held.differs", "=", true)
            .where("held.is_refused", "=", false)
            .returning(["idps.sequence", "idps.created_at", "idps.changed_at"]),
        )
        .with("appended", () => appendEvents(event, "changed"))
        .selectFrom("held")
        .leftJoin("changed", (join) => join.onTrue())
        .select(["held.state", "held.is_refused"])
        .select(({ fn }) => [
          fn.coalesce("changed.sequence", "held.sequence").as("sequence"),
          fn.coalesce("changed.created_at", "held.created_at").as("created_at"),
          fn.coalesce("changed.changed_at", "held.changed_at").as("changed_at"),
        ])
        .$castTo<ChangedIdp>();
    },
    { isDone: sql<boolean>`not carried_out.is_refused` },
  );
}
