import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Problems } from "../errors.ts";
import { readableTypes } from "./read-permissions.ts";

/** The fields of ChangeQuery. */
export interface ChangeQuery {
  readonly sequence: bigint;
  readonly limit: number;
  readonly asc: boolean;
}

/** A checked ChangeQuery. */
export interface ChangeRange {
  readonly ascending: boolean;
  /** Changes after it, or before it if descending; null for all. */
  readonly start: bigint | null;
  readonly limit: number;
}

const DEFAULT_LIMIT = 100;
/** PostgreSQL's largest bigint. */
const MAX_SEQUENCE = 2n ** 63n - 1n;

/** Checks the rules of ChangeQuery that the schema cannot express. */
export function checkChangeQuery(query: ChangeQuery | undefined, problems: Problems): ChangeRange {
  const { sequence = 0n, limit = 0, asc = false } = query ?? {};
  if (sequence > MAX_SEQUENCE) problems.add("query.sequence", `must be at most ${MAX_SEQUENCE}`);
  return { ascending: asc, start: sequence || null, limit: limit || DEFAULT_LIMIT };
}

/** An object whose changes are listed. */
interface ChangedObject {
  /** The organization that the object belongs to. */
  readonly orgId: string;
  readonly id: string;
  /** The first part of the types of its events. */
  readonly kind: "user" | "org";
}

/**
 * Lists the events of an object that the caller may read, without their payloads. Editors from other organizations have no
 * name, because the caller may not read them.
 *
 * @returns Undefined if there never was such an object in the organization.
 * @throws SignetError for a failure of the database.
 */
export async function listChanges(
  db: Database,
  { orgId, id, kind }: ChangedObject,
  { ascending, start, limit }: ChangeRange,
  call: Call,
): Promise<ChangeRow[] | undefined> {
  const select = ascending ? selectAscending : selectDescending;
  const readable = readableTypes("org", call) ?? null;
  const rows = await select(db, { orgId, id, types: `${kind}.%`, readable, start, limit }, call);
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ type, ...row }) => (type === null ? [] : { type, ...row }));
}

/** An event of an object. */
export interface ChangeRow {
  type: string;
  sequence: bigint;
  created_at: Date;
  editor_id: string | null;
  editor_name: string | null;
}

/** `type` is null in the only row of an object without changes in the range. */
type FoundRow = Omit<ChangeRow, "type"> & { type: string | null };

interface SelectChanges {
  orgId: string;
  id: string;
  /** A pattern of LIKE. */
  types: string;
  /** Null for all. */
  readable: readonly string[] | null;
  start: bigint | null;
  limit: number;
}

/** Even a removed object has an event with the sequence 1. */
function selectChanges(direction: "asc" | "desc") {
  const [isAfter, none] = direction === "asc" ? [sql`>`, sql`0`] : [sql`<`, sql.raw(`${MAX_SEQUENCE}`)];
  return prepareStatement<SelectChanges, FoundRow>((db, param) => {
    const orgId = param("orgId", "uuid");
    const id = param("id", "uuid");
    const readable = param("readable", "text[]");
    const changes = db
      .selectFrom("events")
      .leftJoin("users as editor", (join) =>
        join.on("editor.org_id", "=", orgId).onRef("editor.id", "=", "events.editor_id"),
      )
      .select(["events.type", "events.sequence", "events.created_at", "events.editor_id"])
      .select(sql<string | null>`coalesce(editor.display_name, editor.user_name)`.as("editor_name"))
      .where("events.owner_id", "=", orgId)
      .where("events.aggregate_id", "=", id)
      .where(sql<boolean>`(${readable} is null or events.type = any(${readable}))`)
      .where(sql<boolean>`events.sequence ${isAfter} coalesce(${param("start", "bigint")}, ${none})`)
      .orderBy("events.sequence", direction)
      .limit(param("limit", "bigint"))
      .as("change");
    return db
      .selectFrom((eb) =>
        eb
          .selectFrom("events")
          .select("sequence as first")
          .where("owner_id", "=", orgId)
          .where("aggregate_id", "=", id)
          .where("sequence", "=", sql<bigint>`1`)
          .where("type", "like", param("types", "text"))
          .as("known"),
      )
      .leftJoin(changes, (join) => join.onTrue())
      .select(["change.type", "change.sequence", "change.created_at", "change.editor_id", "change.editor_name"])
      .orderBy("change.sequence", direction)
      .$castTo<FoundRow>();
  });
}

const selectAscending = selectChanges("asc");
const selectDescending = selectChanges("desc");
