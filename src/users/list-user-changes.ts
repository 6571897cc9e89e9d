import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Kysely, sql } from "kysely";
import { type Change, ChangeSchema } from "../../gen/signet/v1/change_pb.js";
import {
  type ListUserChangesRequest,
  type ListUserChangesResponse,
  ListUserChangesResponseSchema,
} from "../../gen/signet/v1/user_read_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { Problems } from "../errors.ts";
import { toEventText } from "../events/event-texts.ts";
import { userNotFound } from "./user-not-found.ts";

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
export function checkListUserChanges({ userId, query }: ListUserChangesRequest, problems: Problems): ChangeSearch {
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
  { db }: { readonly db: Kysely<Tables> },
  { userId, ascending, start, limit }: ChangeSearch,
  call: Call,
): Promise<ListUserChangesResponse> {
  const select = ascending ? selectAscending : selectDescending;
  const rows = isId(userId) ? await select(db, { orgId: call.orgId, userId, start, limit }, call) : [];
  if (rows.length === 0) throw userNotFound("userId: no user", userId);
  return create(ListUserChangesResponseSchema, {
    result: rows.flatMap((row) => (row.type === null ? [] : toChange(row, call.orgId))),
  });
}

/** `type` is null in the only row of a user without changes in the range. */
interface ChangeRow {
  type: string | null;
  sequence: bigint;
  created_at: Date;
  editor_id: string | null;
  editor_name: string | null;
}

function toChange(row: ChangeRow, orgId: string): Change {
  const key = row.type ?? "";
  return create(ChangeSchema, {
    changeDate: timestampFromDate(row.created_at),
    eventType: { key, localizedMessage: toEventText(key) },
    sequence: row.sequence,
    editorId: row.editor_id ?? "",
    editorDisplayName: row.editor_name ?? "",
    resourceOwnerId: orgId,
  });
}

interface SelectChanges {
  orgId: string;
  userId: string;
  start: bigint | null;
  limit: number;
}

/** Even a removed user has an event with the sequence 1. */
function selectChanges(direction: "asc" | "desc") {
  const [isAfter, none] = direction === "asc" ? [sql`>`, sql`0`] : [sql`<`, sql.raw(`${MAX_SEQUENCE}`)];
  return prepareStatement<SelectChanges, ChangeRow>((db, param) => {
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
      .$castTo<ChangeRow>();
  });
}

const selectAscending = selectChanges("asc");
const selectDescending = selectChanges("desc");
