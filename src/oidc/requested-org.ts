import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { allowsDiscovery } from "../policies/get-login-policy.ts";

const ORG_SCOPE = "urn:signet:org:id:";

/**
 * The parameter in which the provider keeps the organization's id until the end of the sign-in, because it drops scopes
 * that are not in its list. A value sent by a client is overwritten.
 */
export const ORG_PARAMETER = "signet_org_id";

/** The parameter that is `OPEN_ORG` if the person may choose another organization. A value of a client is overwritten. */
export const OPEN_ORG_PARAMETER = "signet_org_open";
export const OPEN_ORG = "true";

/** The parameter with the id or name of the provider at which the user signs in, as in Keycloak's `kc_idp_hint`. */
export const IDP_HINT_PARAMETER = "idp_hint";

/** If the organization is open, that of the session's user replaces it: the person has been there before. */
export function keepOrgOfUser(params: Record<string, unknown> | undefined, orgId: unknown): void {
  if (params?.[OPEN_ORG_PARAMETER] === OPEN_ORG && orgId !== undefined) params[ORG_PARAMETER] = orgId;
}

/** The organization of a request. */
interface RequestedOrg {
  readonly id: string;
  /** Whether it is only the default, which the domain of the person's address can replace: see `allowDomainDiscovery`. */
  readonly isOpen: boolean;
}

/**
 * Finds a request's organization. It is the application's organization, which was looked up with it. For an application
 * of the instance, it is the one in the scope `urn:signet:org:id:<id>`, or else the default one.
 *
 * @param own The application's organization; null if it belongs to the instance.
 * @returns Undefined if the scope does not name an organization, or names a different one than the application's.
 */
export async function findRequestedOrg(
  db: Database,
  own: string | null,
  scope: string | undefined,
): Promise<RequestedOrg | undefined> {
  const scopes = scope?.split(" ").filter((name) => name.startsWith(ORG_SCOPE)) ?? [];
  const requested = new Set(scopes.map((name) => name.slice(ORG_SCOPE.length).toLowerCase()));
  if (own !== null) return [...requested].every((id) => id === own) ? { id: own, isOpen: false } : undefined;
  const [orgId = null, ...others] = requested;
  if (others.length > 0 || (orgId !== null && !isId(orgId))) return undefined;
  const [org] = await selectOrg(db, { orgId });
  return org;
}

const selectOrg = prepareStatement<{ orgId: string | null }, RequestedOrg>((db, param) => {
  const orgId = param("orgId", "uuid");
  return db
    .selectFrom("orgs")
    .select("id")
    .select(sql<boolean>`(${orgId} is null and ${allowsDiscovery(sql.ref("orgs.id"))})`.as("isOpen"))
    .where(sql<boolean>`orgs.id = coalesce(${orgId}, (select default_org_id from instance))`)
    .where("orgs.state", "=", "active")
    .$castTo<RequestedOrg>();
});
