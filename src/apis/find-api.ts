import { type Expression, type RawBuilder, sql } from "kysely";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/** An API for the OpenID provider. */
export interface RequestedApi {
  readonly scopes: readonly string[];
}

/** Finds an API by its identifier, for applications of its owner. */
export async function findApi(db: Database, ownerId: string, identifier: string): Promise<RequestedApi | undefined> {
  const [api] = await selectApi(db, { ownerId, identifier });
  return api;
}

const selectApi = prepareStatement<{ ownerId: string; identifier: string }, RequestedApi>((db, param) =>
  db
    .selectFrom("apis")
    .select("scopes")
    .where("identifier", "=", param("identifier", "text"))
    .where("owner_id", "=", param("ownerId", "uuid")),
);

/** Whether an application may introspect tokens whose audience is an API of the same owner. */
export function isIntrospector(
  audience: Expression<unknown>,
  app: { readonly id: Expression<unknown>; readonly ownerId: Expression<unknown> },
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from apis where apis.identifier = ${audience} and apis.owner_id = ${app.ownerId}
      and ${app.id} = any (apis.introspector_app_ids))`;
}
