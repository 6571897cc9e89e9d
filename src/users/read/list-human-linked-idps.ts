import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../../fields/read-list.ts";
import { throwUnlessUser, userNotFound } from "../user-not-found.ts";

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

/** A link of a user to a provider. */
export interface LinkRow {
  idp_id: string;
  idp_name: string;
  /** The stored name of the kind of provider. */
  idp_kind: string;
  external_user_id: string;
  user_id: string;
  display_name: string;
}

/** The order of a list of links. */
export const LINK_ORDER: readonly SortKey[] = [
  { value: sql`links.created_at`, type: "timestamptz" },
  { value: sql`links.idp_id`, type: "uuid" },
  { value: sql`links.external_user_id`, type: "text" },
];

function linksOf({ orgId, userId }: { orgId: string; userId: string }): ListSource<LinkRow> {
  return {
    from: sql`user_idp_links as links join idps on idps.owner_id = links.idp_owner_id and idps.id = links.idp_id`,
    columns: {
      idp_id: sql.ref("links.idp_id"),
      idp_name: sql.ref("idps.name"),
      idp_kind: sql.ref("idps.kind"),
      external_user_id: sql.ref("links.external_user_id"),
      user_id: sql.ref("links.user_id"),
      display_name: sql.ref("links.display_name"),
    },
    scope: sql`links.org_id = ${orgId}::uuid and links.user_id = ${userId}::uuid`,
    filters: [],
    order: LINK_ORDER,
  };
}
