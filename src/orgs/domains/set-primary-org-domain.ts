import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import type { ChangeOrgParts } from "../add-org.ts";
import type { DomainFields } from "./add-org-domain.ts";
import { notFoundOr, prepareDomainChange } from "./prepare-domain-change.ts";

/**
 * Makes a verified domain the primary one of the organization (docs/api.md).
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND, ORG_DOMAIN_NOT_VERIFIED, or for a failure of the database.
 */
export async function setPrimaryOrgDomain(
  parts: ChangeOrgParts,
  { domain }: DomainFields,
  call: Call,
): Promise<Changed> {
  return await setPrimary(parts, { domain, event: { type: "org.domain.primary.set", payload: { domain } } }, call);
}

const setPrimary = prepareDomainChange({
  // Locked, so that a domain that is removed at the same time is not found.
  write: (param) => sql`(
    select org_domains.name from held join org_domains on org_domains.org_id = held.id
    where org_domains.name = ${param("domain", "text")} and org_domains.verified_at is not null
    for no key update of org_domains)`,
  refusal: (param) => notFoundOr(param, "ORG_DOMAIN_NOT_VERIFIED"),
  set: (param) => ({ primary_domain: sql`${param("domain", "text")}` }),
});
