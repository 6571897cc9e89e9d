import { isDeepStrictEqual } from "node:util";
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { runTransaction } from "../database/run-transaction.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import type { Owner } from "../owner.ts";
import type { NewEvent } from "./catalogue.ts";
import { type Changed, type ObjectRow, toChanged } from "./object-details.ts";

/** The dependencies of a change. */
export interface ChangeParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** A change in progress. */
export interface Change {
  /** The transaction. Nothing else may be waited for. */
  readonly db: Database;
  readonly now: Date;
  /** The user who causes the events; null for the service itself. */
  readonly editorId: string | null;
}

/** The part of a call that a change needs. */
type ChangeCall = Pick<Call, "throwIfOver" | "span" | "idempotency"> & { readonly userId: string | null };

/**
 * Runs a change of the administration in one transaction: `run` locks what it decides about, decides in TypeScript, and
 * writes. What it throws rolls everything back. Its result is also stored as the response to a call with
 * `idempotency-key`, so that neither exists without the other. Commands that run often use `RunTogether` instead.
 *
 * @throws SignetError for a failure of the database; errors of `run`.
 */
export async function runChange<Result extends Changed>(
  { db, clock }: ChangeParts,
  call: ChangeCall,
  run: (change: Change) => Promise<Result>,
): Promise<Result> {
  return await runTransaction(db, call, async (transaction) => {
    const result = await run({ db: transaction, now: clock(), editorId: call.userId });
    if (call.idempotency !== undefined) await storeResponse(transaction, call.idempotency, result);
    return result;
  });
}

/** An operation of which all is one change; see `runChange`. */
export function inChange<Fields, Result extends Changed, Parts extends ChangeParts = ChangeParts>(
  run: (change: Change, fields: Fields, call: Call, parts: Parts) => Promise<Result>,
) {
  return async (parts: Parts, fields: Fields, call: Call): Promise<Result> =>
    await runChange(parts, call, (change) => run(change, fields, call, parts));
}

/** The same for an operation on what belongs to the instance or to an organization. */
export function inOwnerChange<Fields, Result extends Changed, Parts extends ChangeParts = ChangeParts>(
  run: (change: Change, fields: Fields, owner: Owner, call: Call, parts: Parts) => Promise<Result>,
) {
  return async (parts: Parts, fields: Fields, owner: Owner, call: Call): Promise<Result> =>
    await runChange(parts, call, (change) => run(change, fields, owner, call, parts));
}

async function storeResponse(
  db: Database,
  idempotency: NonNullable<Call["idempotency"]>,
  { details, ...fields }: Changed,
): Promise<void> {
  const row = idempotency.toRow(Object.keys(fields).length === 0 ? undefined : fields);
  await db
    .insertInto("idempotency_keys")
    .values({
      caller_id: row.callerId,
      key_hash: sql`${row.keyHash}::bytea`,
      request_mac: sql`${row.requestMac}::bytea`,
      answer: sql`${row.response}::bytea`,
      master_key: row.masterKey,
      sequence: details.sequence,
      creation_date: details.creationDate,
      change_date: details.changeDate,
      expires_at: row.expiresAt,
    })
    .execute();
}

/** Tables of objects with events of their own. The events belong to the owner, or to the object if it has none. */
type ObjectTable = "apis" | "apps" | "brandings" | "idps" | "instance" | "orgs" | "scim_connections" | "webhooks";

type ObjectKey = { readonly id: string; readonly owner_id?: string };
type Row<Table extends ObjectTable> = Selectable<Tables[Table]> & ObjectRow & ObjectKey;

/**
 * Locks an object, and returns the latest version of its row; undefined if there is none. Concurrent changes run one
 * after another, those of rows that refer to an owned object too; users can be added to a locked organization.
 */
export async function holdObject<Table extends ObjectTable>(
  { db }: Pick<Change, "db">,
  table: Table,
  key: ObjectKey,
  lock: "for update" | "for no key update" = key.owner_id === undefined ? "for no key update" : "for update",
): Promise<Row<Table> | undefined> {
  if (!isId(key.id)) return undefined;
  const query = sql<Row<Table>>`select * from ${sql.table(table)} where ${isObject(key)} ${sql.raw(lock)}`;
  return (await query.execute(db)).rows[0];
}

/** The locked row of the instance or an organization, for changes of what belongs to it and has no events of its own. */
export interface HeldOwner extends Owner {
  readonly row: Row<"instance" | "orgs">;
}

const OWNER_TABLES = { instance: "instance", org: "orgs" } as const;

/** Locks the instance or an organization, as `holdObject`. @throws SignetError ORG_NOT_FOUND. */
export async function holdOwner(change: Change, { kind, id }: Owner): Promise<HeldOwner> {
  const row = await holdObject(change, OWNER_TABLES[kind], { id });
  if (row === undefined) throw new SignetError("ORG_NOT_FOUND", "the organization does not exist");
  return { kind, id: row.id, row };
}

/** Appends events to those of a locked instance or organization. */
export async function appendToOwner(
  change: Change,
  { kind, row }: HeldOwner,
  events: readonly NewEvent[],
): Promise<Changed> {
  return await changeObject(change, OWNER_TABLES[kind], row, events);
}

/** Adds an object with its first events. */
export async function addObject<Table extends ObjectTable>(
  change: Change,
  table: Table,
  columns: Omit<Insertable<Tables[Table]>, keyof ObjectRow> & ObjectKey,
  events: readonly NewEvent[],
): Promise<Changed> {
  const row = { sequence: BigInt(events.length), created_at: change.now, changed_at: change.now };
  // Kysely cannot check statements of a generic table.
  await change.db
    .insertInto(table as "orgs")
    .values({ ...columns, ...row } as unknown as Insertable<Tables["orgs"]>)
    .execute();
  return await appendEvents(change, { ...columns, ...row }, events);
}

/**
 * Changes a locked object, and appends the events.
 *
 * @param columns If all of them have these values, nothing is written. Undefined if only other tables change.
 */
export async function changeObject<Table extends ObjectTable>(
  change: Change,
  table: Table,
  held: Row<Table>,
  events: readonly NewEvent[],
  columns?: Updateable<Tables[Table]>,
): Promise<Changed> {
  if (columns !== undefined && !differs(held, columns)) return toChanged(held, ownerOf(held));
  const row = nextVersion(change, held, events);
  const { sequence, changed_at } = row;
  await change.db
    .updateTable(table as "orgs")
    .set({ ...columns, sequence, changed_at } as Updateable<Tables["orgs"]>)
    .where(isObject(held))
    .execute();
  return await appendEvents(change, row, events);
}

/** Removes a locked object, and appends its last events. */
export async function removeObject<Table extends ObjectTable>(
  change: Change,
  table: Table,
  held: Row<Table>,
  events: readonly NewEvent[],
): Promise<Changed> {
  const row = nextVersion(change, held, events);
  await change.db
    .deleteFrom(table as "orgs")
    .where(isObject(held))
    .execute();
  return await appendEvents(change, row, events);
}

/** Whether a column of a row differs from the given value. An undefined one does not. */
function differs(row: object, columns: object): boolean {
  return Object.entries(columns).some(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(toStored(value), row[name as keyof typeof row]),
  );
}

/** A value as it is read again. JSON has no undefined members. */
function toStored(value: unknown): unknown {
  return Object.getPrototypeOf(value ?? 0) === Object.prototype ? JSON.parse(JSON.stringify(value)) : value;
}

function isObject({ owner_id: ownerId, id }: ObjectKey): RawBuilder<boolean> {
  return ownerId === undefined
    ? sql<boolean>`id = ${id}::uuid`
    : sql<boolean>`owner_id = ${ownerId}::uuid and id = ${id}::uuid`;
}

/** The time of a change is the clock, or the time of the last change if that is later (docs/api.md). */
function nextVersion<Held extends ObjectRow>({ now }: Change, held: Held, events: readonly NewEvent[]): Held {
  const changed_at = now > held.changed_at ? now : held.changed_at;
  return { ...held, sequence: held.sequence + BigInt(events.length), changed_at };
}

const ownerOf = ({ owner_id: ownerId, id }: ObjectKey): string => ownerId ?? id;

async function appendEvents(
  { db, editorId: editor_id }: Change,
  row: ObjectKey & ObjectRow,
  events: readonly NewEvent[],
): Promise<Changed> {
  const key = { owner_id: ownerOf(row), aggregate_id: row.id };
  const rows = events.map(({ type, payload }, index) => {
    const sequence = row.sequence - BigInt(events.length - 1 - index);
    return { ...key, sequence, type, editor_id, created_at: row.changed_at, payload };
  });
  await db.insertInto("events").values(rows).execute();
  return toChanged(row, key.owner_id);
}
