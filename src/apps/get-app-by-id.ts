import { create } from "@bufbuild/protobuf";
import { type Kysely, sql } from "kysely";
import {
  type GetAppByIDRequest,
  type GetAppByIDResponse,
  GetAppByIDResponseSchema,
} from "../../gen/signet/v1/app_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { APP_COLUMNS, type AppRow, toApp } from "./app-row.ts";
import { appNotFound } from "./prepare-app-change.ts";

/**
 * Returns an application of the organization (docs/api.md).
 *
 * @throws SignetError APP_NOT_FOUND, or for a failure of the database.
 */
export async function getAppById(
  { db }: { readonly db: Kysely<Tables> },
  { appId }: GetAppByIDRequest,
  call: Call,
): Promise<GetAppByIDResponse> {
  const [row] = isId(appId) ? await selectApp(db, { orgId: call.orgId, appId }, call) : [];
  if (row === undefined) throw appNotFound(appId);
  return create(GetAppByIDResponseSchema, { app: toApp(row) });
}

const selectApp = prepareStatement<{ orgId: string; appId: string }, AppRow>((db, param) =>
  db
    .selectFrom("apps")
    .select(Object.entries(APP_COLUMNS).map(([name, column]) => sql`${column}`.as(name)))
    .where("owner_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("appId", "uuid"))
    .$castTo<AppRow>(),
);
