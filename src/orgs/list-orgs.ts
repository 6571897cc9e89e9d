import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { byCreation, namedColumns } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { SortKey } from "../database/list-page.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { matchesText, type SearchedText, type TextMatch } from "../database/text-match.ts";
import { SignetError } from "../errors.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { OrgFields } from "./check-org-name.ts";

/** A search for organizations. */
export interface OrgSearch {
  readonly page: CheckedListQuery;
  readonly sortKey: OrgSortKey;
  readonly conditions: readonly OrgCondition[];
}

type OrgSortKey = "creation" | "name";

/** A condition of a search for organizations. */
export type OrgCondition =
  | { readonly kind: "name"; readonly name: string; readonly match: TextMatch }
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "state"; readonly state: OrgRow["state"] };

/**
 * Lists the organizations of the instance that satisfy all conditions (docs/reference/organizations.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another instance, or for a failure of the database.
 */
export async function listOrgs(
  parts: ListParts,
  { page, sortKey, conditions }: OrgSearch,
  call: Call,
): Promise<ListResult<OrgRow>> {
  const source = {
    from: sql.table("orgs"),
    columns: namedColumns("orgs", NAMES),
    // A caller with iam.read may read every organization.
    scope: sql<SqlBool>`orgs.removed_at is null`,
    filters: conditions.map(toFilter),
    order: orderOfOrgs(sortKey),
  };
  return await readList<OrgRow>(parts, source, page, call.instanceId, call);
}

const NAMES = ["id", "name", "state", "primary_domain", "sequence", "created_at", "changed_at"] as const;

/** An organization in responses. */
export type OrgRow = Pick<Selectable<Tables["orgs"]>, (typeof NAMES)[number]>;

const NAME: SearchedText = {
  value: sql`orgs.name`,
  folded: sql`orgs.name_key`,
  fold: (text) => sql`${userNameKey(text)}::text`,
  isSorted: true,
};

/** The order of a list of organizations: by the key, then by id. */
export function orderOfOrgs(key: OrgSortKey): readonly SortKey[] {
  const [creation, id] = byCreation("orgs");
  return [key === "name" ? { value: NAME.folded, type: "text" } : creation, id];
}

function toFilter(condition: OrgCondition): RawBuilder<SqlBool> {
  switch (condition.kind) {
    case "name":
      return matchesText(NAME, condition.match, condition.name);
    case "id":
      return isId(condition.id) ? sql`orgs.id = ${condition.id}::uuid` : sql`false`;
    case "state":
      return sql`orgs.state = ${condition.state}`;
    default:
      return condition satisfies never;
  }
}

interface GetOrgParts {
  readonly db: Database;
}

/**
 * Returns the organization of the call (docs/reference/organizations.md).
 *
 * @throws SignetError ORG_NOT_FOUND, or for a failure of the database.
 */
export async function getMyOrg({ db }: GetOrgParts, _fields: object, call: Call): Promise<OrgRow> {
  return await findOrg(db, call.orgId, call);
}

/**
 * Returns an organization of the instance (docs/reference/organizations.md).
 *
 * @throws SignetError ORG_NOT_FOUND, or for a failure of the database.
 */
export async function getOrgById({ db }: GetOrgParts, { id }: { readonly id: string }, call: Call): Promise<OrgRow> {
  // Callers know it as the resource owner of instance-level objects.
  if (id.toLowerCase() === call.instanceId) {
    throw orgNotFound(id, "this is the id of the instance, which is not an organization");
  }
  return await findOrg(db, id, call);
}

async function findOrg(db: Database, id: string, call: Call): Promise<OrgRow> {
  const [row] = isId(id) ? await selectOrg(db, { id }, call) : [];
  if (row === undefined) throw orgNotFound(id, "the organization does not exist");
  return row;
}

export function orgNotFound(id: string, message: string): SignetError {
  return new SignetError("ORG_NOT_FOUND", message, { metadata: { field: "id", ...(isId(id) && { orgId: id }) } });
}

const selectOrg = prepareStatement<{ id: string }, OrgRow>((db, param) =>
  db.selectFrom("orgs").select(NAMES).where("id", "=", param("id", "uuid")).where("removed_at", "is", null),
);

/**
 * Returns whether no organization of the instance has the name, ignoring case (docs/reference/organizations.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function isOrgUnique({ db }: GetOrgParts, { name }: OrgFields, call: Call): Promise<boolean> {
  return (await selectNamed(db, { nameKey: userNameKey(name) }, call)).length === 0;
}

const selectNamed = prepareStatement<{ nameKey: string }, { id: string }>((db, param) =>
  db.selectFrom("orgs").select("id").where("name_key", "=", param("nameKey", "text")),
);
