import { type Expression, type RawBuilder, sql } from "kysely";
import { isActiveOrg } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/** An API for the OpenID provider. */
export interface RequestedApi {
  readonly ownerId: string;
  readonly scopes: readonly string[];
  readonly allowsUnregisteredClients: boolean;
}

/**
 * Finds an API of an active organization by its identifier, which is unique in the instance.
 *
 * @param ownerId The organization of the application that asks; null for a client of none.
 */
export async function findApi(
  db: Database,
  ownerId: string | null,
  identifier: string,
): Promise<RequestedApi | undefined> {
  const [api] = await selectApi(db, { ownerId, identifier });
  return api;
}

const selectApi = prepareStatement<{ ownerId: string | null; identifier: string }, RequestedApi>((db, param) =>
  db
    .selectFrom("apis")
    .select(["owner_id as ownerId", "scopes", "allows_unregistered_clients as allowsUnregisteredClients"])
    .where("identifier", "=", param("identifier", "text"))
    .where("owner_id", "=", sql<string>`coalesce(${param("ownerId", "uuid")}, owner_id)`)
    .where(isActiveOrg(sql.ref("owner_id"))),
);

/**
 * Whether an application may introspect a token whose audience is an API of the same owner.
 *
 * @param token Its application is null for a client that nobody registers, which the API must still allow.
 */
export function isIntrospector(
  token: { readonly audience: Expression<unknown>; readonly appId: Expression<unknown> },
  app: { readonly id: Expression<unknown>; readonly ownerId: Expression<unknown> },
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from apis where apis.identifier = ${token.audience} and apis.owner_id = ${app.ownerId}
      and ${app.id} = any (apis.introspector_app_ids)
      and (apis.allows_unregistered_clients or ${token.appId} is not null))`;
}
