import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { appendEvents, type EventValues } from "../events/append-events.ts";
import type { ObjectRow } from "../events/object-details.ts";

/** The row of an owner's branding in a condition: the one to change, or the one in the statement's snapshot. */
type Row = "brandings" | "seen";

/** How a statement changes the branding of an owner. The new values may read the row to change, `brandings`. */
export interface BrandingChange<Values extends object> {
  /** The values of a branding that does not exist yet. Without them, it is not created. */
  readonly create?: (
    given: Param<Values>,
  ) => Partial<Readonly<Record<"draft" | "texts" | "page_texts", RawBuilder<unknown>>>>;
  readonly set: (
    given: Param<Values>,
    row: Row,
  ) => Partial<
    Readonly<Record<"draft" | "active" | "texts" | "page_texts" | "active_page_texts", RawBuilder<unknown>>>
  >;
  /** Whether the branding can be changed. By default, it can. */
  readonly isAllowed?: (given: Param<Values>, row: Row) => RawBuilder<boolean>;
  /** One more part of the statement. It reads `changed`, which has a row if the branding was written. */
  readonly also?: (given: Param<Values>) => RawBuilder<object>;
}

/**
 * - `same`: everything is stored already, and nothing was written.
 * - `refused`: the branding cannot be changed, or does not exist.
 * - `stale`: the branding has changed since the statement's snapshot, and nothing was written.
 */
export interface ChangedBranding extends ObjectRow {
  readonly outcome: "written" | "same" | "refused" | "stale";
}

/**
 * Prepares a statement that creates or changes the branding of an owner, and appends its events.
 *
 * It writes only the version of the branding that its snapshot has, because it deletes unused images, and sees only those
 * in its snapshot.
 */
export function prepareBrandingChange<Values extends object = object>({
  create,
  set,
  isAllowed = () => sql`true`,
  also = () => sql`(select)`,
}: BrandingChange<Values>) {
  return prepareWrite<EventValues & Values, ChangedBranding>(
    (db, param, returnRows) => {
      const given = param as unknown as Param<Values>;
      const event = param as unknown as Param<EventValues>;
      const created = create?.(given) ?? {};
      const { draft = sql`null::jsonb`, texts = sql`'{}'::jsonb`, page_texts: pageTexts = sql`'{}'::jsonb` } = created;
      const differs = (row: Row) =>
        sql<boolean>`(${sql.join(
          Object.entries(set(given, row)).map(
            ([column, value]) => sql`${sql.ref(`${row}.${column}`)} is distinct from ${value}`,
          ),
          sql` or `,
        )})`;
      const assignments = Object.entries(set(given, "brandings")).map(
        ([column, value]) => sql`, ${sql.ref(column)} = ${value}`,
      );
      return returnRows(
        db
          .with("seen", (query) =>
            query.selectFrom("brandings").selectAll().where("owner_id", "=", event("ownerId", "uuid")),
          )
          .with(
            "changed",
            () => sql<ObjectRow & { id: string }>`(
              insert into brandings (owner_id, id, sequence, created_at, changed_at, draft, texts, page_texts)
              select ${event("ownerId", "uuid")}, ${event("aggregateId", "uuid")},
                jsonb_array_length(${event("events", "jsonb")}), ${event("now", "timestamptz")},
                ${event("now", "timestamptz")}, ${draft}, ${texts}, ${pageTexts}
              where ${create === undefined ? sql`exists (select from seen)` : sql`true`}
              on conflict (owner_id) do update set
                sequence = brandings.sequence + excluded.sequence,
                changed_at = greatest(brandings.changed_at, excluded.changed_at)
                ${sql.join(assignments, sql``)}
              where ${isAllowed(given, "brandings")} and ${differs("brandings")}
                and brandings.sequence = (select sequence from seen)
              returning owner_id, id, sequence, created_at, changed_at, draft, active)`,
          )
          .with("also", () => also(given))
          .with("pruned", () => prune(event))
          .with("appended", () => appendEvents(event, "changed", sql`changed.id`))
          .with("result", (query) =>
            query
              .selectFrom(sql`(select)`.as("one"))
              .leftJoin("changed", (join) => join.onTrue())
              .leftJoin("seen", (join) => join.onTrue())
              .select(
                sql<ChangedBranding["outcome"]>`case
                  when changed.id is not null then 'written'
                  when seen.id is null and ${sql.lit(create === undefined)} then 'refused'
                  when seen.id is null then 'stale'
                  when not ${isAllowed(given, "seen")} then 'refused'
                  when not ${differs("seen")} then 'same'
                  else 'stale' end`.as("outcome"),
              )
              .select(({ fn }) => [
                fn.coalesce("changed.sequence", "seen.sequence").as("sequence"),
                fn.coalesce("changed.created_at", "seen.created_at").as("created_at"),
                fn.coalesce("changed.changed_at", "seen.changed_at").as("changed_at"),
              ]),
          ),
      );
    },
    { isDone: sql<boolean>`result.outcome in ('written', 'same')` },
  );
}

/** Deletes the images that neither the draft nor the active policy uses any more. */
function prune(event: Param<EventValues>): RawBuilder<object> {
  return sql<object>`(
    delete from branding_images as image using changed
    where image.owner_id = ${event("ownerId", "uuid")}
      and not exists (
        select from (values (changed.draft), (changed.active)) as used (label)
        where image.hash in (used.label ->> 'logo', used.label ->> 'logoDark', used.label ->> 'icon', used.label ->> 'iconDark')))`;
}
