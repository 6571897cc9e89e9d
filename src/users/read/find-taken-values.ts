import { hash } from "node:crypto";
import { sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { columnsOf, createCommandList, hexToText, type Numbered } from "../../database/command-list.ts";
import type { Database } from "../../database/database.ts";
import { compileEarly } from "../../database/prepare.ts";
import { runQuery } from "../../database/run-query.ts";
import { parsePhone } from "../../fields/phone.ts";
import { trimText } from "../../fields/trim-text.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { NOBODY, othersWithAddress, othersWithName, toNewName } from "../found-by-other.ts";
import { givenLinks } from "../import/insert-human-users.ts";
import { usersWithPhone } from "../verified-phones.ts";

/** What an import could refuse as taken; what is empty is not looked up. */
interface UniqueValues {
  /** The value of the metadata key `external_id`. */
  readonly externalId: Uint8Array;
  readonly userName: string;
  readonly email?: { readonly email: string; readonly isEmailVerified: boolean } | undefined;
  readonly phone?: { readonly phone: string; readonly isPhoneVerified: boolean } | undefined;
  readonly subject: string;
  readonly idps: readonly { readonly configId: string; readonly externalUserId: string }[];
}

/** What an organization has of a user. */
interface TakenValues {
  /** The user with the external id; empty if there is none. */
  readonly userId: string;
  /**
   * The values that an import would refuse, by their JSON paths, each with a user who has it; empty if there is a user with
   * the external id.
   */
  readonly taken: { readonly field: string; readonly userId: string }[];
}

/**
 * Finds who in the organization has the unique values of users, in the order of the users.
 *
 * @throws SignetError for a failure of the database.
 */
export async function findTakenValues(
  { db }: { readonly db: Database },
  { users }: { readonly users: readonly UniqueValues[] },
  call: QueryCaller & { readonly orgId: string },
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
  /** E.164 if the name is a phone number. */
  readonly userNamePhone: string | null;
  /** Null if the address is not verified, so that it is never taken. */
  readonly emailKey: string | null;
  /** E.164; null if the number is not verified. */
  readonly phone: string | null;
  readonly subject: string | null;
  /** In the order of the request. The id of no provider is null. */
  readonly links: readonly { readonly idpId: string | null; readonly externalUserId: string }[];
}

const GIVEN = createCommandList<Given>({
  externalIdHash: "bytea",
  userNameKey: "text",
  userNamePhone: "text",
  emailKey: "text",
  phone: "text",
  subject: "text",
  links: "jsonb",
});

function toGiven({ externalId, userName, email, phone, subject, idps }: UniqueValues): Given {
  const name = toNewName(trimText(userName));
  const number = phone?.isPhoneVerified ? parsePhone(phone.phone) : undefined;
  return {
    externalIdHash: externalId.length === 0 ? null : hexToText(hash("sha256", externalId, "hex")),
    userNameKey: name.userNameKey || null,
    userNamePhone: name.userNamePhone,
    emailKey: email?.isEmailVerified ? userNameKey(trimText(email.email)) || null : null,
    phone: number?.ok ? number.e164 : null,
    subject: subject || null,
    links: idps.map(({ configId, externalUserId }) => ({ idpId: isId(configId) ? configId : null, externalUserId })),
  };
}

interface TakenRow extends Numbered {
  field: string;
  /** Null for a value that nobody has. */
  userId: string | null;
}

const EXTERNAL_ID = "externalId";

/**
 * Rows for the values that a user has, in the order of the fields, and for some that nobody has. Every value is looked up on
 * its own, by an index.
 *
 * It runs without a name, so PostgreSQL plans it for each call (1 ms for 50 users). In a plan that was made for an
 * organization with few users and then kept, look-ups read all users of the organization. The list is materialized, and has
 * the hash of the external id, so that the index of external ids costs less than the primary key also with 200 users.
 */
const selectTaken = compileEarly<{ orgId: string; users: string }>((db, param) => {
  const given = columnsOf<Given>("given");
  const orgId = sql<string>`${param("orgId", "uuid")}`;
  const [nameKey, emailKey, phone] = [given("userNameKey", "text"), given("emailKey", "text"), given("phone", "text")];
  const namePhone = sql`${given("userNamePhone", "text")}`;
  const getter = { orgId, userId: NOBODY };
  const found = sql<{ position: number; field: string; user_id: string | null }>`lateral (
    select 0 as position, ${sql.lit(EXTERNAL_ID)} as field, stored.user_id from user_metadata as stored
    where stored.org_id = ${orgId} and stored.key = 'external_id'
      and sha256(stored.value) = ${given("externalIdHash", "bytea")}
    union all
    select 1, 'userName', coalesce(
      (select users.id from users where users.org_id = ${orgId} and users.user_name_key = ${nameKey}),
      (select min(id::text)::uuid from ${othersWithAddress(nameKey, getter)} as other where position('@' in ${nameKey}) > 0),
      (select min(id::text)::uuid from ${usersWithPhone(orgId, namePhone)} as other))
    union all
    select 2, 'email.email', (select id from ${othersWithName(emailKey, "email", getter)} as named)
    where ${emailKey} is distinct from ${nameKey}
    union all
    select 3, 'phone.phone', (select id from ${othersWithName(phone, "phone", getter)} as named)
    where ${phone} is distinct from ${nameKey}
    union all
    select 4, 'subject', stored.user_id from user_subjects as stored
    where stored.subject = ${given("subject", "text")} and stored.org_id = ${orgId}
    union all
    select 5 + link.position, format('idps[%s]', link.position), (
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
