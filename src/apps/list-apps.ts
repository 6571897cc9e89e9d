import { type RawBuilder, sql } from "kysely";
import type { Call } from "../call.ts";
import { type AppConfig, mapAppSettings } from "../database/app-config.ts";
import { columnsOf, type RowOf, VERSION } from "../database/columns-of.ts";
import { matchesText, searchedText, type TextMatch } from "../database/text-match.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { ownedList, ownedObject } from "../fields/owned-objects.ts";
import type { ListParts, ListResult } from "../fields/read-list.ts";
import { appNotFound } from "./hold-app.ts";

/** A search for applications by name. */
export interface AppSearch {
  readonly page: CheckedListQuery;
  readonly names: readonly { readonly name: string; readonly match: TextMatch }[];
}

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

/** Lists the applications of an organization (docs/reference/applications.md). */
export const APPS = ownedList("apps", COLUMNS);

/** Returns an application of the organization (docs/reference/applications.md). */
export const getAppById = ownedObject("apps", COLUMNS, appNotFound);

const NAME = searchedText(sql`apps.name`);

/** Lists the applications of the organization with all of the names; see `ownedList`. */
export async function listApps(parts: ListParts, { page, names }: AppSearch, call: Call): Promise<ListResult<AppRow>> {
  const filters = names.map(({ name, match }) => matchesText(NAME, match, name));
  return await APPS.list(parts, { page, filters }, call);
}
