import { sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { namedColumns, type RowOf } from "../database/columns-of.ts";
import type { ListSource, SortKey } from "../database/list-page.ts";
import { prepareStatement } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { throwUnlessUser, type UserKey, userNotFound } from "../users/user-not-found.ts";

/** A personal access token in responses. */
export type TokenRow = RowOf<typeof COLUMNS>;

/** A search for the tokens of a user. */
interface TokenSearch {
  readonly userId: string;
  readonly page: CheckedListQuery;
}

/**
 * Lists the personal access tokens of a machine user that are neither expired nor revoked
 * (docs/reference/machine-users.md).
 *
 * @throws SignetError USER_NOT_FOUND, INVALID_ARGUMENT for a page token of another organization, or for a failure of
 *   the database.
 */
export async function listPersonalAccessTokens(
  parts: ListParts,
  { userId, page }: TokenSearch,
  call: Call,
): Promise<ListResult<TokenRow>> {
  if (!isId(userId)) throw userNotFound("userId: no machine user", userId);
  const user = { orgId: call.orgId, userId };
  const tokens = await readList(parts, tokensOf(user, parts.clock()), page, call.orgId, call);
  if (tokens.details.totalResult === 0n) await throwUnlessUser(parts, user, "userId: no machine user", call);
  return tokens;
}

/**
 * Returns a personal access token of a machine user that is neither expired nor revoked
 * (docs/reference/machine-users.md).
 *
 * @throws SignetError USER_NOT_FOUND, TOKEN_NOT_FOUND, or for a failure of the database.
 */
export async function getPersonalAccessToken(
  parts: ListParts,
  { userId, tokenId }: { readonly userId: string; readonly tokenId: string },
  call: Call,
): Promise<TokenRow> {
  if (!isId(userId)) throw userNotFound("userId: no machine user", userId);
  const user = { orgId: call.orgId, userId };
  const [token] = isId(tokenId) ? await selectToken(parts.db, { ...user, tokenId, now: parts.clock() }, call) : [];
  if (token !== undefined) return token;
  await throwUnlessUser(parts, user, "userId: no machine user", call);
  throw new SignetError("TOKEN_NOT_FOUND", "tokenId: the user has no token with this id");
}

export const TOKEN_ORDER: readonly SortKey[] = [
  { value: sql`tokens.created_at`, type: "timestamptz" },
  { value: sql`tokens.id`, type: "uuid" },
];

const NAMES = ["id", "last_four", "created_at", "expires_at", "last_used_at"] as const;
const COLUMNS = namedColumns("tokens", NAMES);

function tokensOf({ orgId, userId }: UserKey, now: Date): ListSource<TokenRow> {
  return {
    from: sql.table("tokens"),
    columns: COLUMNS,
    scope: sql`tokens.org_id = ${orgId}::uuid and tokens.user_id = ${userId}::uuid`,
    filters: [sql`tokens.revoked_at is null`, sql`coalesce(tokens.expires_at > ${now}, true)`],
    order: TOKEN_ORDER,
  };
}

const selectToken = prepareStatement<UserKey & { tokenId: string; now: Date }, TokenRow>((db, param) =>
  db
    .selectFrom("tokens")
    .select(NAMES)
    .where("org_id", "=", param("orgId", "uuid"))
    .where("user_id", "=", param("userId", "uuid"))
    .where("id", "=", param("tokenId", "uuid"))
    .where("revoked_at", "is", null)
    .where(sql<boolean>`coalesce(expires_at > ${param("now", "timestamptz")}, true)`),
);
