import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { type AppConfig, mapAppSettings } from "../database/app-config.ts";
import { byCreation, columnsOf, type RowOf, VERSION } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { matchesText, searchedText, type TextMatch } from "../database/text-match.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { appNotFound } from "./hold-app.ts";

/** A search for applications by name. */
export interface AppSearch {
  readonly page: CheckedListQuery;
  readonly names: readonly { readonly name: string; readonly match: TextMatch }[];
}

/**
 * Lists the applications of the organization with all of the names, sorted by the time of creation
 * (docs/reference/applications.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listApps(parts: ListParts, { page, names }: AppSearch, call: Call): Promise<ListResult<AppRow>> {
  const scope = sql<SqlBool>`apps.owner_id = ${call.orgId}::uuid`;
  const filters = names.map(({ name, match }) => matchesText(NAME, match, name));
  const source = { from: sql.table("apps"), columns: COLUMNS, scope, filters, order: APP_ORDER };
  return await readList<AppRow>(parts, source, page, call.orgId, call);
}

/** The order of a list of applications. */
export const APP_ORDER = byCreation("apps");

const NAME = searchedText(sql`apps.name`);

/**
 * Returns an application of the organization (docs/reference/applications.md).
 *
 * @throws SignetError APP_NOT_FOUND, or for a failure of the database.
 */
export async function getAppById(
  { db }: { readonly db: Database },
  { appId }: { readonly appId: string },
  call: Call,
): Promise<AppRow> {
  const [row] = isId(appId) ? await selectApp(db, { orgId: call.orgId, appId }, call) : [];
  if (row === undefined) throw appNotFound(appId);
  return row;
}

const selectApp = prepareStatement<{ orgId: string; appId: string }, AppRow>((db, param) =>
  db
    .selectFrom("apps")
    .select(Object.entries(COLUMNS).map(([name, column]) => sql`${column}`.as(name)))
    .where("owner_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("appId", "uuid"))
    .$castTo<AppRow>(),
);

/** The columns of the settings. */
export const APP_CONFIG_COLUMNS = mapAppSettings<{ readonly [Name in keyof AppConfig]: RawBuilder<AppConfig[Name]> }>(
  (_, { column }) => sql.ref(`apps.${column}`),
);

const COLUMNS = {
  ...columnsOf("apps", { ownerId: "owner_id", id: "id", name: "name", state: "state", ...VERSION }),
  ...APP_CONFIG_COLUMNS,
};

/** An application in responses. */
export type AppRow = RowOf<typeof COLUMNS>;
