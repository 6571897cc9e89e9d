import { create } from "@bufbuild/protobuf";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type AppQuery,
  type ListAppsRequest,
  ListAppsRequestSchema,
  type ListAppsResponse,
  ListAppsResponseSchema,
} from "../../gen/signet/v1/app_pb.js";
import type { Call } from "../call.ts";
import type { SortKey } from "../database/list-page.ts";
import { matchesText, searchedText } from "../database/text-match.ts";
import type { Problems } from "../errors.ts";
import { type CheckedListQuery, checkListQuery } from "../fields/list-query.ts";
import { type ListParts, readList } from "../fields/read-list.ts";
import { toTextMatch } from "../fields/text-query-method.ts";
import { APP_COLUMNS, type AppRow, toApp } from "./app-row.ts";

/** A checked ListAppsRequest. */
export interface AppSearch {
  readonly page: CheckedListQuery;
  readonly filters: readonly RawBuilder<SqlBool>[];
}

/** Checks the rules of ListAppsRequest that the schema cannot express. */
export function checkListApps(request: ListAppsRequest, problems: Problems): AppSearch {
  return {
    page: checkListQuery(ListAppsRequestSchema, request, ORDER, problems),
    filters: request.queries.map((query, n) => toFilter(query, `queries[${n}]`, problems)),
  };
}

/**
 * Lists the applications of the organization that satisfy all conditions, sorted by the time of creation (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listApps(parts: ListParts, { page, filters }: AppSearch, call: Call): Promise<ListAppsResponse> {
  const scope = sql<SqlBool>`apps.owner_id = ${call.orgId}::uuid`;
  const source = { from: sql.table("apps"), columns: APP_COLUMNS, scope, filters, order: ORDER };
  const { details, rows } = await readList<AppRow>(parts, source, page, call.orgId, call);
  return create(ListAppsResponseSchema, { details, result: rows.map(toApp) });
}

const ORDER: readonly SortKey[] = [
  { value: sql`apps.created_at`, type: "timestamptz" },
  { value: sql`apps.id`, type: "uuid" },
];

const NAME = searchedText(sql`apps.name`);

function toFilter({ query }: AppQuery, at: string, problems: Problems): RawBuilder<SqlBool> {
  if (query.case === "nameQuery") return matchesText(NAME, toTextMatch(query.value.method), query.value.name);
  problems.add(at, "must contain a condition");
  return sql`false`;
}
