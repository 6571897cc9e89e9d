import { hash } from "node:crypto";
import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { columnsOf, createCommandList, hexToText, type Numbered } from "../../database/command-list.ts";
import type { Database } from "../../database/database.ts";
import { compileEarly } from "../../database/prepare.ts";
import { runQuery } from "../../database/run-query.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { givenLinks } from "../import/insert-human-users.ts";

/** What must be unique of a user; what is empty is not looked up. */
export interface UniqueValues {
  /** The value of the metadata key `external_id`. */
  readonly externalId: Uint8Array;
  readonly userName: string;
  readonly subject: string;
  readonly idps: readonly { readonly configId: string; readonly externalUserId: string }[];
}

/** What an organization has of a user. */
export interface TakenValues {
  /** The user with the external id; empty if there is none. */
  readonly userId: string;
  /** The values that another user has, by their JSON paths; empty if there is a user with the external id. */
  readonly taken: { readonly field: string; readonly userId: string }[];
}

/**
 * Finds who in the organization of the call has the unique values of users, in the order of the users.
 *
 * @throws SignetError for a failure of the database.
 */
export async function findTakenValues(
  { db }: { readonly db: Database },
  { users }: { readonly users: readonly UniqueValues[] },
  call: Call,
): Promise<TakenValues[]> {
  const list = `[${users.map((user) => GIVEN.toJson(toGiven(user))).join()}]`;
  const query = { ...selectTaken().bind({ orgId: call.orgId, users: list }), name: undefined };
  const rows = await runQuery<TakenRow>(db, query, call);
  const found = Map.groupBy(rows, ({ number }) => number);
  return users.map((_, index) => toResult(found.get(index + 1) ?? []));
}

function toResult(rows: readonly TakenRow[]): TakenValues {
  const known = rows.find(({ field }) => field === EXTERNAL_ID);
  if (known?.userId != null) return { userId: known.userId, taken: [] };
  return { userId: "", taken: rows.flatMap(({ field, userId }) => (userId === null ? [] : { field, userId })) };
}

interface Given {
  /** SHA-256, created by `hexToText`: what the index has. */
  readonly externalIdHash: string | null;
  readonly userNameKey: string | null;
  readonly subject: string | null;
  /** In the order of the request. The id of no provider is null. */
  readonly links: readonly { readonly idpId: string | null; readonly externalUserId: string }[];
}

const GIVEN = createCommandList<Given>({
  externalIdHash: "bytea",
  userNameKey: "text",
  subject: "text",
  links: "jsonb",
});

function toGiven({ externalId, userName, subject, idps }: UniqueValues): Given {
  return {
    externalIdHash: externalId.length === 0 ? null : hexToText(hash("sha256", externalId, "hex")),
    userNameKey: userNameKey(trimText(userName)) || null,
    subject: subject || null,
    links: idps.map(({ configId, externalUserId }) => ({ idpId: isId(configId) ? configId : null, externalUserId })),
  };
}

interface TakenRow extends Numbered {
  field: string;
  /** Null for a link that nobody has. */
  userId: string | null;
}

const EXTERNAL_ID = "externalId";

/**
 * A row for each value that a user has, and for each link, in the order of the fields. Every value is looked up on its own,
 * by the index that makes it unique.
 *
 * It runs without a name, so PostgreSQL plans it for each call (0.5 ms for up to 50 users). In a plan that was made for an
 * organization with few users and then kept, look-ups read all users of the organization. The list is materialized, and has
 * the hash of the external id, so that the index of external ids costs less than the primary key also with 200 users.
 */
const selectTaken = compileEarly<{ orgId: string; users: string }>((db, param) => {
  const given = columnsOf<Given>("given");
  const orgId = param("orgId", "uuid");
  const found = sql<{ position: number; field: string; user_id: string | null }>`lateral (
    select 0 as position, ${sql.lit(EXTERNAL_ID)} as field, stored.user_id from user_metadata as stored
    where stored.org_id = ${orgId} and stored.key = 'external_id'
      and sha256(stored.value) = ${given("externalIdHash", "bytea")}
    union all
    select 1, 'userName', users.id from users
    where users.org_id = ${orgId} and users.user_name_key = ${given("userNameKey", "text")}
    union all
    select 2, 'subject', stored.user_id from user_subjects as stored
    where stored.subject = ${given("subject", "text")} and stored.org_id = ${orgId}
    union all
    select 3 + link.position, format('idps[%s]', link.position), (
      select stored.user_id from user_idp_links as stored
      where stored.org_id = ${orgId} and stored.idp_id = link.idp_id
        and stored.external_user_id = link.external_user_id)
    from ${givenLinks(given("links", "jsonb"))})`;
  return db
    .with(
      (part) => part("given").materialized(),
      () => GIVEN.rows(param("users", "jsonb")),
    )
    .selectFrom(["given", found.as("found")])
    .select(["given.number", "found.field", "found.user_id as userId"])
    .orderBy("given.number")
    .orderBy("found.position");
});
