import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { Problems } from "../../errors.ts";
import { userNotFound } from "../user-not-found.ts";

/** The fields of ListUserChangesRequest. */
interface ChangesRequest {
  readonly userId: string;
  readonly query?: { readonly sequence: bigint; readonly limit: number; readonly asc: boolean } | undefined;
}

/** A checked ListUserChangesRequest. */
export interface ChangeSearch {
  readonly userId: string;
  readonly ascending: boolean;
  /** Changes after it, or before it if descending; null for all. */
  readonly start: bigint | null;
  readonly limit: number;
}

const DEFAULT_LIMIT = 100;
/** PostgreSQL's largest bigint. */
const MAX_SEQUENCE = 2n ** 63n - 1n;

/** Checks the rules of ListUserChangesRequest that the schema cannot express. */
export function checkListUserChanges({ userId, query }: ChangesRequest, problems: Problems): ChangeSearch {
  const { sequence = 0n, limit = 0, asc = false } = query ?? {};
  if (sequence > MAX_SEQUENCE) problems.add("query.sequence", `must be at most ${MAX_SEQUENCE}`);
  return { userId, ascending: asc, start: sequence || null, limit: limit || DEFAULT_LIMIT };
}

/**
 * Lists the events of a user of the organization, without their payloads (docs/api.md). Editors from other
 * organizations have no name, because the caller may not read them.
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function listUserChanges(
  { db }: { readonly db: Database },
  { userId, ascending, start, limit }: ChangeSearch,
  call: Call,
): Promise<ChangeRow[]> {
  const select = ascending ? selectAscending : selectDescending;
  const rows = isId(userId) ? await select(db, { orgId: call.orgId, userId, start, limit }, call) : [];
  if (rows.length === 0) throw userNotFound("userId: no user", userId);
  return rows.flatMap(({ type, ...row }) => (type === null ? [] : { type, ...row }));
}

/** An event of a user. */
export interface ChangeRow {
  type: string;
  sequence: bigint;
  created_at: Date;
  editor_id: string | null;
  editor_name: string | null;
}

/** `type` is null in the only row of a user without changes in the range. */
type FoundRow = Omit<ChangeRow, "type"> & { type: string | null };

interface SelectChanges {
  orgId: string;
  userId: string;
  start: bigint | null;
  limit: number;
}

/** Even a removed user has an event with the sequence 1. */
function selectChanges(direction: "asc" | "desc") {
  const [isAfter, none] = direction === "asc" ? [sql`>`, sql`0`] : [sql`<`, sql.raw(`${MAX_SEQUENCE}`)];
  return prepareStatement<SelectChanges, FoundRow>((db, param) => {
    const orgId = param("orgId", "uuid");
    const userId = param("userId", "uuid");
    const changes = db
      .selectFrom("events")
      .leftJoin("users as editor", (join) =>
        join.on("editor.org_id", "=", orgId).onRef("editor.id", "=", "events.editor_id"),
      )
      .select(["events.type", "events.sequence", "events.created_at", "events.editor_id"])
      .select(sql<string | null>`coalesce(editor.display_name, editor.user_name)`.as("editor_name"))
      .where("events.owner_id", "=", orgId)
      .where("events.aggregate_id", "=", userId)
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
          .where("aggregate_id", "=", userId)
          .where("sequence", "=", sql<bigint>`1`)
          .where("type", "like", sql<string>`'user.%'`)
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
