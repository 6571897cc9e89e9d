import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Problems, Reason } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import { describeDomainProblem, toDomain } from "../../fields/domain.ts";
import type { ChangeOrgParts } from "../add-org.ts";
import { domainColumns, prepareDomainChange } from "./prepare-domain-change.ts";

/** The field of the calls about a domain. */
export interface DomainFields {
  readonly domain: string;
}

/** Brings the domain to the form in which it is stored. One of any other form does not exist. */
export function checkDomain({ domain }: DomainFields): DomainFields {
  return { domain: toDomain(domain) };
}

/** Checks the rules of a new domain that the schema cannot express. */
export function checkNewDomain(request: DomainFields, problems: Problems): DomainFields {
  const { domain } = checkDomain(request);
  const problem = describeDomainProblem(domain);
  if (problem !== undefined) problems.add("domain", problem);
  return { domain };
}

/** The most domains of an organization. */
export const MAX_DOMAINS = 100;

/**
 * Adds a domain to the organization (docs/api.md). It has no effect until it is verified.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_EXISTS, TOO_MANY_DOMAINS, or for a failure of the database.
 */
export async function addOrgDomain(parts: ChangeOrgParts, { domain }: DomainFields, call: Call): Promise<Changed> {
  return await addDomain(parts, { domain, event: { type: "org.domain.added", payload: { domain } } }, call);
}

const addDomain = prepareDomainChange({
  write: (param) => {
    const { sequence, changedAt } = domainColumns(param);
    return sql`(
      insert into org_domains (org_id, name, sequence, created_at, changed_at)
      select held.id, ${param("domain", "text")}, ${sequence}, ${changedAt}, ${changedAt} from held
      where (select count(*) from org_domains where org_domains.org_id = held.id) < ${sql.lit(MAX_DOMAINS)}
      on conflict (org_id, name) do nothing
      returning name)`;
  },
  refusal: (param) => sql<Reason>`case
    when (select count(*) from org_domains where org_domains.org_id = ${param("ownerId", "uuid")})
      >= ${sql.lit(MAX_DOMAINS)} then 'TOO_MANY_DOMAINS'
    else 'ORG_DOMAIN_EXISTS' end`,
});
