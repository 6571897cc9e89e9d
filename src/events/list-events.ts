import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { runQuery } from "../database/run-query.ts";
import { readNames } from "./read-names.ts";
import { commonTypes, readableTypes } from "./read-permissions.ts";
import type { ReadSettledPosition } from "./settled-position.ts";

/** A search for events. Each condition is absent if it is undefined. */
export interface EventSearch {
  readonly ascending: boolean;
  /** Events after it, or before it if descending; null for all. */
  readonly start: bigint | null;
  readonly limit: number;
  readonly editorId?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly aggregateId?: string | undefined;
  readonly resourceOwner?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Events in the order of the search. */
export interface FoundEvents {
  readonly events: readonly EventRow[];
  /** Where the search continues; 0 after the last event. */
  readonly next: bigint;
  /** Names of objects whose ids the events have, by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** An event as callers see it. */
export interface EventRow {
  readonly position: bigint;
  readonly owner_id: string;
  readonly aggregate_id: string;
  readonly type: string;
  readonly editor_id: string | null;
  /** Null for an editor whom the caller may not see, and for one who was removed. */
  readonly editor_name: string | null;
  readonly created_at: Date;
  readonly payload: object | null;
}

export interface ListEventsParts {
  readonly db: Database;
  readonly readSettledPosition: ReadSettledPosition;
}

/**
 * Lists the events of the organization of the call that satisfy all conditions, of objects that the caller may read
 * (docs/reference/events.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function listOrgEvents(parts: ListEventsParts, search: EventSearch, call: Call): Promise<FoundEvents> {
  const { resourceOwner = call.orgId } = search;
  if (resourceOwner.toLowerCase() !== call.orgId) return NONE;
  const types = commonTypes(search.types, readableTypes("org", call));
  return await listEvents(parts, { ...search, resourceOwner, types }, "org", call);
}

/**
 * Lists the events of the instance and of all organizations that satisfy all conditions, of objects that the caller may
 * read.
 *
 * @throws SignetError for a failure of the database.
 */
export async function listInstanceEvents(
  parts: ListEventsParts,
  search: EventSearch,
  call: Call,
): Promise<FoundEvents> {
  const types = commonTypes(search.types, readableTypes("instance", call));
  return await listEvents(parts, { ...search, types }, "instance", call);
}

const NONE: FoundEvents = { events: [], next: 0n, names: new Map() };

/** A search examines at most this many events of its owner or object. */
export const MOST_EXAMINED = 10_000;

/** The payloads of a page have about this many bytes at most, in JSON; at least one event is returned. */
const MOST_PAYLOAD_BYTES = 1_000_000;

async function listEvents(
  { db, readSettledPosition }: ListEventsParts,
  search: EventSearch,
  scope: "org" | "instance",
  call: Call,
): Promise<FoundEvents> {
  const { editorId, aggregateId, resourceOwner, limit, types } = search;
  if (types?.length === 0) return NONE;
  // No event has an id that is not one.
  if ([editorId, aggregateId, resourceOwner].some((id) => id !== undefined && !isId(id))) return NONE;
  const settled = await readSettledPosition(call);
  const filters = filtersOf(search);
  // Without filters, the limit bounds what is examined.
  const [last] =
    filters.length === 0
      ? []
      : await runQuery<LastExamined>(db.lists, selectLastExamined(search, settled).compile(db), call);
  const [after, before] = boundsOf(search, settled);
  const range = search.ascending
    ? [after, (last?.position ?? before - 1n) + 1n]
    : [(last?.position ?? 1n) - 1n, before];
  const seesEditor = scope === "org" ? sql<SqlBool>`editor.org_id = ${call.orgId}::uuid` : sql<SqlBool>`true`;
  const statement = selectEvents(search, range as [bigint, bigint], filters, seesEditor);
  const rows = await runQuery<FoundRow>(db.lists, statement.compile(db), call);
  const events = rows.filter(({ fits }) => fits);
  const isFull = events.length === limit || events.length < rows.length;
  const next = (isFull ? events.at(-1)?.position : last?.position) ?? 0n;
  return { events, next, names: await readNames(db, events, { scope, call }) };
}

interface LastExamined {
  readonly position: bigint;
}

/** `fits`: whether the payload and those before it are small enough for one page. */
type FoundRow = EventRow & { readonly fits: boolean };

/** The order of the index that serves a search: that of the object, of the owner, or of all events. */
interface IndexOrder {
  /** The columns by which it sorts. The last one is the position, the others have one value. */
  readonly orderBy: RawBuilder<unknown>;
  /** Whether an event of the object or owner is between two positions, excluding both. */
  readonly isBetween: (after: RawBuilder<unknown>, before: RawBuilder<unknown>) => RawBuilder<SqlBool>;
}

function indexOrderOf({ ascending, aggregateId, resourceOwner }: EventSearch): IndexOrder {
  const direction = sql.raw(ascending ? "asc" : "desc");
  const [name, id] = aggregateId !== undefined ? ["aggregate_id", aggregateId] : ["owner_id", resourceOwner];
  if (id === undefined) {
    return {
      orderBy: sql`events.position ${direction}`,
      isBetween: (after, before) => sql`events.position > ${after} and events.position < ${before}`,
    };
  }
  // With an equality, the planner could read all events in the order of their positions instead of the index that
  // starts with the column, however few of them have the id.
  const key = sql`(events.${sql.ref(name)}, events.position)`;
  return {
    orderBy: sql`events.${sql.ref(name)} ${direction}, events.position ${direction}`,
    isBetween: (after, before) => sql`${key} > (${id}::uuid, ${after}) and ${key} < (${id}::uuid, ${before})`,
  };
}

/** The positions before the first and after the last event of a search, in ascending order. */
function boundsOf({ ascending, start }: EventSearch, settled: bigint): readonly [after: bigint, before: bigint] {
  const end = settled + 1n;
  if (ascending) return [start ?? 0n, end];
  return [0n, start !== null && start < end ? start : end];
}

function toParameter(position: bigint): RawBuilder<bigint> {
  return sql`${position}::bigint`;
}

/** The conditions that no index serves. The owner of an object never changes. */
function filtersOf(search: EventSearch): RawBuilder<SqlBool>[] {
  const { editorId, types, aggregateId, resourceOwner, since, until } = search;
  const isOfOwner = aggregateId !== undefined && resourceOwner !== undefined;
  return [
    ...(isOfOwner ? [sql<SqlBool>`events.owner_id = ${resourceOwner}::uuid`] : []),
    ...(editorId !== undefined ? [sql<SqlBool>`events.editor_id = ${editorId}::uuid`] : []),
    ...(types !== undefined ? [sql<SqlBool>`events.type = any(${types}::text[])`] : []),
    ...(since !== undefined ? [sql<SqlBool>`events.created_at >= ${since}::timestamptz`] : []),
    ...(until !== undefined ? [sql<SqlBool>`events.created_at <= ${until}::timestamptz`] : []),
  ];
}

/**
 * The last event that a search examines; no row if it examines all. Reads the index alone, in steps: for a single large
 * one, the planner could prefer to sort all events of the owner; with steps of 500 it sometimes did.
 */
function selectLastExamined(search: EventSearch, settled: bigint): RawBuilder<LastExamined> {
  const { orderBy, isBetween } = indexOrderOf(search);
  const [after, before] = boundsOf(search, settled).map(toParameter) as [RawBuilder<bigint>, RawBuilder<bigint>];
  const last = (contains: RawBuilder<SqlBool>) => sql`(
    select events.position from events where ${contains} order by ${orderBy}
    offset ${sql.lit(STEP - 1)} limit 1)`;
  const continued = sql`step.position`;
  const next = search.ascending ? isBetween(continued, before) : isBetween(after, continued);
  return sql<LastExamined>`
    with recursive step (number, position) as (
      select 1, ${last(isBetween(after, before))}
      union all
      select number + 1, ${last(next)} from step
      where step.position is not null and number < ${sql.lit(MOST_EXAMINED / STEP)}
    )
    select position from step where position is not null and number = ${sql.lit(MOST_EXAMINED / STEP)}`;
}

const STEP = 100;

/** These statements are not prepared: their texts and their best plans depend on the conditions. */
function selectEvents(
  search: EventSearch,
  [after, before]: readonly [bigint, bigint],
  filters: readonly RawBuilder<SqlBool>[],
  seesEditor: RawBuilder<SqlBool>,
): RawBuilder<FoundRow> {
  const { orderBy, isBetween } = indexOrderOf(search);
  const direction = sql.raw(search.ascending ? "asc" : "desc");
  const conditions = [isBetween(toParameter(after), toParameter(before)), ...filters];
  return sql<FoundRow>`
    with found as materialized (
      select * from events where ${sql.join(conditions, sql` and `)} order by ${orderBy} limit ${search.limit}
    ), measured as (
      select *, row_number() over page = 1
        or sum(coalesce(octet_length(payload::text), 0)) over page <= ${sql.lit(MOST_PAYLOAD_BYTES)} as fits
      from found window page as (order by position ${direction} rows unbounded preceding)
    )
    select measured.position, measured.owner_id, measured.aggregate_id, measured.type, measured.editor_id,
      measured.created_at, measured.fits, case when measured.fits then measured.payload end as payload,
      coalesce(editor.display_name, editor.user_name) as editor_name
    from measured left join users as editor on editor.id = measured.editor_id and ${seesEditor}
    order by measured.position ${direction}`;
}
