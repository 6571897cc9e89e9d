import { sql } from "kysely";
import type { Client } from "oidc-provider";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { orgIdOf } from "./clients.ts";

const ORG_SCOPE = "urn:signet:org:id:";

/**
 * The parameter in which the provider keeps the organization's id until the end of the sign-in, because it drops scopes
 * that are not in its list. A value sent by a client is overwritten.
 */
export const ORG_PARAMETER = "signet_org_id";

/**
 * Finds the id of a request's organization. It is the application's organization, which was looked up with it. For an
 * application of the instance, it is the one in the scope `urn:signet:org:id:<id>`, or else the default one.
 *
 * @returns Undefined if the scope does not name an organization, or names a different one than the application's.
 */
export async function findRequestedOrg(
  db: Database,
  client: Client,
  scope: string | undefined,
): Promise<string | undefined> {
  const scopes = scope?.split(" ").filter((name) => name.startsWith(ORG_SCOPE)) ?? [];
  const requested = new Set(scopes.map((name) => name.slice(ORG_SCOPE.length).toLowerCase()));
  const own = orgIdOf(client);
  if (own !== null) return [...requested].every((id) => id === own) ? own : undefined;
  const [orgId = null, ...others] = requested;
  if (others.length > 0 || (orgId !== null && !isId(orgId))) return undefined;
  const [org] = await selectOrg(db, { orgId });
  return org?.id;
}

const selectOrg = prepareStatement<{ orgId: string | null }, { id: string }>((db, param) => {
  const orgId = param("orgId", "uuid");
  return db
    .selectFrom("orgs")
    .select("id")
    .where(sql<boolean>`orgs.id = coalesce(${orgId}, (select default_org_id from instance))`)
    .$castTo<{ id: string }>();
});
