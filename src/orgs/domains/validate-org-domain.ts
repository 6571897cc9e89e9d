import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { type Reason, SignetError } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import type { ChangeOrgParts } from "../add-org.ts";
import type { DomainFields } from "./add-org-domain.ts";
import { countCheck } from "./count-check.ts";
import type { DomainProofType, ProveDomain } from "./domain-proof.ts";
import { domainColumns, notFoundOr, prepareDomainChange } from "./prepare-domain-change.ts";

export interface ValidateOrgDomainParts extends ChangeOrgParts {
  readonly proveDomain: ProveDomain;
}

/**
 * Looks for the token of a domain, and marks the domain as verified (docs/api.md).
 *
 * Only an organization with the proof learns that another one has verified the domain.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND, ORG_DOMAIN_VERIFIED, ORG_DOMAIN_NOT_PROVED,
 *   ORG_DOMAIN_TAKEN, TOO_MANY_DOMAIN_CHECKS, ABORTED, or for a failure of the database.
 */
export async function validateOrgDomain(
  parts: ValidateOrgDomainParts,
  { domain }: DomainFields,
  call: Call,
): Promise<Changed> {
  const [found] = await selectDomain(parts.db, { orgId: call.orgId, domain }, call);
  const { token = null, type = null } = found ?? {};
  if (token !== null && type !== null) {
    await countCheck(parts, call.orgId, call);
    const problem = await parts.proveDomain({ domain, type, token }, call.signal);
    call.throwIfOver();
    if (problem !== undefined) throw notProved(problem);
  } else if (found?.is_verified === false) throw notProved("call GenerateOrgDomainValidation first");
  const event = { type: "org.domain.verified", payload: { domain } } as const;
  return await markVerified(parts, { domain, token: token ?? "", event }, call);
}

function notProved(problem: string): SignetError {
  return new SignetError("ORG_DOMAIN_NOT_PROVED", `domain: ${problem}`);
}

interface FoundDomain {
  is_verified: boolean;
  /** Null if none was generated, or the domain is verified. */
  token: string | null;
  type: DomainProofType | null;
}

const selectDomain = prepareStatement<{ orgId: string; domain: string }, FoundDomain>((db, param) =>
  db
    .selectFrom("org_domains")
    .select(["token", "validation_type as type", sql<boolean>`verified_at is not null`.as("is_verified")])
    .where("org_id", "=", param("orgId", "uuid"))
    .where("name", "=", param("domain", "text")),
);

/** The token is compared again, because it may have been replaced during the check. */
const markVerified = prepareDomainChange<{ token: string }>({
  write: (param) => {
    const { sequence, changedAt } = domainColumns(param);
    return sql`(
      update org_domains set verified_at = ${changedAt}, token = null, sequence = ${sequence},
        changed_at = ${changedAt}
      from held
      where org_domains.org_id = held.id and org_domains.name = ${param("domain", "text")}
        and org_domains.token = ${param("token", "text")}
      returning org_domains.name)`;
  },
  // A domain that is not verified has got another token since it was read.
  refusal: (param) => sql<Reason>`case when exists (
    select from org_domains
    where org_domains.org_id = ${param("ownerId", "uuid")} and org_domains.name = ${param("domain", "text")}
      and org_domains.verified_at is null)
    then 'ABORTED' else ${notFoundOr(param, "ORG_DOMAIN_VERIFIED")} end`,
});
