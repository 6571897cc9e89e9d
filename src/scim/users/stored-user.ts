import { type Expression, sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { prepareLookUp } from "../../database/prepare-look-up.ts";
import type { RunTogether } from "../../database/run-together.ts";
import type { CheckedListQuery, ListDetails } from "../../fields/list-query.ts";
import type { ListParts } from "../../fields/read-list.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { listUsers } from "../../users/read/list-users.ts";
import type { UserSortKey } from "../../users/read/user-columns.ts";
import type { UserCondition } from "../../users/read/user-condition.ts";
import { USER_COLUMNS, type UserRow } from "../../users/read/user-row.ts";
import { userNotFound } from "../../users/user-not-found.ts";
import { METADATA_ATTRIBUTES } from "./user-schemas.ts";

/** A role of a user in an application. */
export interface GivenRole {
  readonly appId: string;
  readonly appName: string;
  readonly role: string;
}

/** A human user as SCIM sees it. */
export interface StoredUser {
  readonly row: UserRow;
  /** The metadata that attributes are stored as. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly roles: readonly GivenRole[];
  /** The ids of the user at the provider of the connection. */
  readonly links: readonly string[];
}

interface UserPage {
  readonly details: ListDetails;
  readonly users: readonly StoredUser[];
}

/** Humans only. */
const IS_HUMAN: UserCondition = { kind: "type", type: 1 };

/** @throws SignetError for a failure of the database. */
export async function findUsers(
  parts: ListParts,
  search: {
    readonly page: CheckedListQuery;
    readonly conditions: readonly UserCondition[];
    readonly sortKey?: UserSortKey;
    readonly idpId: string | null;
  },
  call: Call,
): Promise<UserPage> {
  const { page, sortKey = "creation", idpId } = search;
  const conditions = [IS_HUMAN, ...search.conditions];
  const { details, rows } = await listUsers(parts, { page, sortKey, conditions }, call);
  const ids = rows.map(({ id }) => id);
  const extras = ids.length === 0 ? [] : await selectExtras(parts.db, { orgId: call.orgId, ids, idpId }, call);
  const byId = new Map(extras.map(({ id, ...extra }) => [id, extra]));
  return { details, users: rows.map((row) => toStoredUser(row, byId.get(row.id))) };
}

/** @throws SignetError USER_NOT_FOUND for a machine user too, or for a failure of the database. */
export async function findUser(
  { runTogether }: { readonly runTogether: RunTogether },
  { id, idpId }: { readonly id: string; readonly idpId: string | null },
  call: Call,
): Promise<StoredUser> {
  const asked = { orgId: call.orgId, id: id.toLowerCase(), idpId };
  const row = isId(id) ? await runTogether(GET_SCIM_USER, asked, call) : undefined;
  if (row?.kind !== "human") throw userNotFound("id: no user", id);
  return toStoredUser(row, row);
}

/** Finds a user by name, as directories do before each change. The page of a list costs several times as much. */
export async function findUserByName(
  { runTogether }: { readonly runTogether: RunTogether },
  { userName, idpId }: { readonly userName: string; readonly idpId: string | null },
  call: Call,
): Promise<StoredUser | undefined> {
  const asked = { orgId: call.orgId, nameKey: userNameKey(userName), idpId };
  const row = await runTogether(FIND_SCIM_USER, asked, call);
  return row?.kind === "human" ? toStoredUser(row, row) : undefined;
}

/** What is stored of a user in other tables. */
interface Extras {
  /** Values in Base64 by key; null for none. */
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly roles: readonly GivenRole[] | null;
  readonly links: readonly string[];
}

function toStoredUser(row: UserRow, extras: Extras | undefined): StoredUser {
  const metadata = Object.entries(extras?.metadata ?? {});
  return {
    row,
    metadata: new Map(metadata.map(([key, value]) => [key, Buffer.from(value, "base64").toString()])),
    roles: extras?.roles ?? [],
    links: extras?.links ?? [],
  };
}

const KEYS = METADATA_ATTRIBUTES.map(({ key }) => sql.lit(key));

/** The columns of `Extras`, for a user of the table `users`. */
function toExtras(orgId: Expression<string>, idpId: Expression<string | null>) {
  return [
    sql<Extras["metadata"]>`(
      select json_object_agg(stored.key, translate(encode(stored.value, 'base64'), E'\n', ''))
      from user_metadata as stored
      where stored.org_id = ${orgId} and stored.user_id = users.id and stored.key in (${sql.join(KEYS)}))`.as(
      "metadata",
    ),
    sql<Extras["roles"]>`(
      select json_agg(json_build_object('appId', apps.id, 'appName', apps.name, 'role', given.role)
        order by apps.id, given.role)
      from user_app_roles as given join apps on apps.owner_id = ${orgId} and apps.id = given.app_id
      where given.org_id = ${orgId} and given.user_id = users.id and given.role = any (apps.roles))`.as("roles"),
    sql<string[]>`array(
      select link.external_user_id from user_idp_links as link
      where link.org_id = ${orgId} and link.user_id = users.id and link.idp_id = ${idpId})`.as("links"),
  ];
}

const selectExtras = prepareStatement<
  { orgId: string; ids: readonly string[]; idpId: string | null },
  Extras & { readonly id: string }
>((db, param) => {
  const orgId = param("orgId", "uuid");
  return db
    .selectFrom("users")
    .select("users.id")
    .select(toExtras(orgId, param("idpId", "uuid")))
    .where("users.org_id", "=", orgId)
    .where(sql<boolean>`users.id = any (${param("ids", "uuid[]")})`)
    .$castTo<Extras & { readonly id: string }>();
});

const COLUMNS = [
  ...Object.entries(USER_COLUMNS).map(([name, value]) => sql`${value}`.as(name)),
  ...toExtras(sql.ref("asked.orgId"), sql.ref("asked.idpId")),
];

const GET_SCIM_USER = prepareLookUp<{ orgId: string; id: string; idpId: string | null }, UserRow & Extras>(
  "get_scim_user",
  { orgId: "uuid", id: "uuid", idpId: "uuid" },
  (asked) =>
    asked
      .innerJoin("users", (join) => join.onRef("users.org_id", "=", "asked.orgId").onRef("users.id", "=", "asked.id"))
      .select(COLUMNS),
  ({ orgId }) => orgId,
);

const FIND_SCIM_USER = prepareLookUp<{ orgId: string; nameKey: string; idpId: string | null }, UserRow & Extras>(
  "find_scim_user",
  { orgId: "uuid", nameKey: "text", idpId: "uuid" },
  (asked) =>
    asked
      .innerJoin("users", (join) =>
        join.onRef("users.org_id", "=", "asked.orgId").on(sql<boolean>`users.user_name_key = asked."nameKey"`),
      )
      .select(COLUMNS),
  ({ orgId }) => orgId,
);
