import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import type { ChangeOrgParts } from "../add-org.ts";
import type { DomainFields } from "./add-org-domain.ts";
import { prepareDomainChange } from "./prepare-domain-change.ts";

/**
 * Removes a domain from the organization (docs/api.md).
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND, or for a failure of the database.
 */
export async function removeOrgDomain(parts: ChangeOrgParts, { domain }: DomainFields, call: Call): Promise<Changed> {
  return await removeDomain(parts, { domain, event: { type: "org.domain.removed", payload: { domain } } }, call);
}

const removeDomain = prepareDomainChange({
  write: (param) => sql`(
    delete from org_domains using held
    where org_domains.org_id = held.id and org_domains.name = ${param("domain", "text")}
    returning org_domains.name)`,
  refusal: () => sql`'ORG_DOMAIN_NOT_FOUND'`,
  set: (param) => ({ primary_domain: sql`nullif(orgs.primary_domain, ${param("domain", "text")})` }),
});
