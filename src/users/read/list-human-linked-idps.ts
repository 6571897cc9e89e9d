import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { columnsOf, namedColumns, type RowOf } from "../../database/columns-of.ts";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../../fields/read-list.ts";
import { throwUnlessUser, type UserKey, userNotFound } from "../user-not-found.ts";

/** A search for the links of a user. */
interface LinkSearch {
  readonly userId: string;
  readonly page: CheckedListQuery;
}

/**
 * Lists a human user's links to external identity providers (docs/reference/credentials.md).
 *
 * @throws SignetError USER_NOT_FOUND, INVALID_ARGUMENT for a page token of another organization, or for a failure of
 *   the database.
 */
export async function listHumanLinkedIdps(
  parts: ListParts,
  { userId, page }: LinkSearch,
  call: Call,
): Promise<ListResult<LinkRow>> {
  if (!isId(userId)) throw userNotFound("userId: no human user", userId);
  const user = { orgId: call.orgId, userId };
  const links = await readList(parts, linksOf(user), page, call.orgId, call);
  if (links.details.totalResult === 0n) await throwUnlessUser(parts, user, "userId: no human user", call);
  return links;
}

const COLUMNS = {
  ...namedColumns("user_idp_links", ["idp_id", "external_user_id", "user_id", "display_name"]),
  ...columnsOf("idps", { idp_name: "name", idp_kind: "kind" }),
};

/** A link of a user to a provider, with the stored name of the kind of provider. */
export type LinkRow = RowOf<typeof COLUMNS>;

/** The order of a list of links. */
export const LINK_ORDER: readonly SortKey[] = [
  { value: sql`user_idp_links.created_at`, type: "timestamptz" },
  { value: sql`user_idp_links.idp_id`, type: "uuid" },
  { value: sql`user_idp_links.external_user_id`, type: "text" },
];

function linksOf({ orgId, userId }: UserKey): ListSource<LinkRow> {
  return {
    from: sql`user_idp_links join idps
      on idps.owner_id = user_idp_links.idp_owner_id and idps.id = user_idp_links.idp_id`,
    columns: COLUMNS,
    scope: sql`user_idp_links.org_id = ${orgId}::uuid and user_idp_links.user_id = ${userId}::uuid`,
    filters: [],
    order: LINK_ORDER,
  };
}
