import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { byCreation, namedColumns } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { SortKey } from "../database/list-page.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { matchesText, searchedText, type TextMatch } from "../database/text-match.ts";
import { SignetError } from "../errors.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import type { Owner } from "../owner.ts";
import type { IdpKind, IdpSettings } from "./kinds.ts";

/** A search for providers. */
export interface IdpSearch {
  readonly page: CheckedListQuery;
  readonly sortKey: IdpSortKey;
  readonly conditions: readonly IdpCondition[];
}

type IdpSortKey = "creation" | "name";

/** A condition of a search for providers. */
export type IdpCondition =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "name"; readonly name: string; readonly match: TextMatch }
  | { readonly kind: "owner"; readonly isInstance: boolean };

/**
 * Lists the providers that satisfy all conditions: those of the instance, and, for an organization, also its own
 * (docs/reference/providers.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another owner, or for a failure of the database.
 */
export async function listIdps(
  parts: ListParts,
  { page, sortKey, conditions }: IdpSearch,
  owner: Owner,
  call: Call,
): Promise<ListResult<IdpRow>> {
  const source = {
    from: sql.table("idps"),
    columns: namedColumns("idps", IDP_COLUMNS),
    scope: sql<SqlBool>`idps.owner_id in (${owner.id}::uuid, ${call.instanceId}::uuid)`,
    filters: conditions.map(toFilter),
    order: orderOfIdps(sortKey),
  };
  return await readList<IdpRow>(parts, source, page, owner.id, call);
}

const NAME = searchedText(sql`idps.name`, { isSorted: true });

/** The order of a list of providers: by the key, then by id. */
export function orderOfIdps(key: IdpSortKey): readonly SortKey[] {
  const [creation, id] = byCreation("idps");
  return [key === "name" ? { value: NAME.folded, type: "text" } : creation, id];
}

function toFilter(condition: IdpCondition): RawBuilder<SqlBool> {
  switch (condition.kind) {
    case "id":
      return isId(condition.id) ? sql`idps.id = ${condition.id}::uuid` : sql`false`;
    case "name":
      return matchesText(NAME, condition.match, condition.name);
    case "owner":
      return sql`(idps.owner_id in (select id from instance)) = ${condition.isInstance}::boolean`;
    default:
      return condition satisfies never;
  }
}

export interface GetIdpParts {
  readonly db: Database;
}

/**
 * Returns a provider: one of the instance, or, for an organization, also one of its own (docs/reference/providers.md).
 *
 * @throws SignetError IDP_NOT_FOUND, or for a failure of the database.
 */
export async function getIdp(
  { db }: GetIdpParts,
  { id }: { readonly id: string },
  owner: Owner,
  call: Call,
): Promise<IdpRow> {
  const values = { id, ownerId: owner.id, instanceId: call.instanceId };
  const [row] = isId(id) ? await selectIdp(db, values, call) : [];
  if (row === undefined) throw idpNotFound(owner, "id", id);
  return row;
}

/** @param field JSON path of the id. */
export function idpNotFound({ kind }: Owner, field: "id" | "idpId", idpId: string): SignetError {
  const owner = kind === "org" ? "organization" : "instance";
  const message = `${field}: no identity provider of the ${owner} has this id`;
  return new SignetError("IDP_NOT_FOUND", message, { metadata: { field, idpId } });
}

const selectIdp = prepareStatement<{ id: string; ownerId: string; instanceId: string }, IdpRow>((db, param) =>
  db
    .selectFrom("idps")
    .select(IDP_COLUMNS)
    .where("id", "=", param("id", "uuid"))
    .where("owner_id", "in", [sql<string>`${param("ownerId", "uuid")}`, sql<string>`${param("instanceId", "uuid")}`]),
);

type IdpsTable = Selectable<Tables["idps"]>;

/** The columns of a provider that are read. */
const IDP_COLUMNS = [
  "owner_id",
  "id",
  "sequence",
  "created_at",
  "changed_at",
  "state",
  "name",
  "styling_type",
  "client_id",
  "issuer",
  "scopes",
  "display_name_mapping",
  "username_mapping",
  "auto_register",
  "federated_logout_enabled",
  "kind",
  "config",
  "is_linking_allowed",
  "is_creation_allowed",
  "is_auto_update",
  "auto_linking",
] as const satisfies (keyof IdpsTable)[];

/** The columns of a provider in responses, without its secret. */
export interface IdpRow extends Omit<Pick<IdpsTable, (typeof IDP_COLUMNS)[number]>, "kind" | "config"> {
  kind: IdpKind;
  config: IdpSettings;
}
