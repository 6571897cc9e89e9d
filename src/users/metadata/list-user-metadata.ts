import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { namedColumns } from "../../database/columns-of.ts";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { matchesText, searchedText, type TextMatch } from "../../database/text-match.ts";
import { SignetError } from "../../errors.ts";
import type { ObjectRow } from "../../events/object-details.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../../fields/read-list.ts";
import { throwUnlessUser, type UserKey, userNotFound } from "../user-not-found.ts";

/** A value in responses. */
export interface MetadataRow extends ObjectRow {
  key: string;
  value: Buffer;
}

/** A search for the values of a user. */
export interface MetadataSearch {
  readonly id: string;
  readonly page: CheckedListQuery;
  /** Conditions on the key. All must be satisfied. */
  readonly keys: readonly { readonly key: string; readonly match: TextMatch }[];
}

export const METADATA_ORDER: readonly SortKey[] = [{ value: sql`user_metadata.key`, type: "text" }];

/**
 * Lists the values that applications have stored with a user (docs/reference/metadata.md).
 *
 * @throws SignetError USER_NOT_FOUND, INVALID_ARGUMENT for a page token of another organization, or for a failure of
 *   the database.
 */
export async function listUserMetadata(
  parts: ListParts,
  { id, page, keys }: MetadataSearch,
  call: Call,
): Promise<ListResult<MetadataRow>> {
  if (!isId(id)) throw userNotFound("id: no user", id);
  const user = { orgId: call.orgId, userId: id };
  const filters = keys.map(({ key, match }) => matchesText(KEY, match, key));
  const listed = await readList<MetadataRow>(parts, { ...metadataOf(user), filters }, page, call.orgId, call);
  if (listed.details.totalResult === 0n) await throwUnlessUser(parts, user, "id: no user", call);
  return listed;
}

/**
 * Returns the value that is stored with a user under a key (docs/reference/metadata.md).
 *
 * @throws SignetError USER_NOT_FOUND, METADATA_NOT_FOUND, or for a failure of the database.
 */
export async function getUserMetadata(
  parts: ListParts,
  { id, key }: { readonly id: string; readonly key: string },
  call: Call,
): Promise<MetadataRow> {
  if (!isId(id)) throw userNotFound("id: no user", id);
  const user = { orgId: call.orgId, userId: id };
  const [row] = await selectMetadata(parts.db, { ...user, key }, call);
  if (row !== undefined) return row;
  await throwUnlessUser(parts, user, "id: no user", call);
  throw new SignetError("METADATA_NOT_FOUND", "key: the user has no metadata with this key");
}

const KEY = searchedText(sql<string>`user_metadata.key`, { isSorted: false });

const COLUMNS = ["key", "value", "sequence", "created_at", "changed_at"] as const;

function metadataOf({ orgId, userId }: UserKey): Omit<ListSource<MetadataRow>, "filters"> {
  return {
    from: sql.table("user_metadata"),
    columns: namedColumns("user_metadata", COLUMNS),
    scope: sql`user_metadata.org_id = ${orgId}::uuid and user_metadata.user_id = ${userId}::uuid`,
    order: METADATA_ORDER,
  };
}

const selectMetadata = prepareStatement<UserKey & { key: string }, MetadataRow>((db, param) =>
  db
    .selectFrom("user_metadata")
    .select(COLUMNS)
    .where("org_id", "=", param("orgId", "uuid"))
    .where("user_id", "=", param("userId", "uuid"))
    .where("key", "=", param("key", "text")),
);
