import type { InferResult } from "kysely";
import type { Call, QueryCaller } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import { countInHour } from "../../database/counters.ts";
import type { Database } from "../../database/database.ts";
import { runQuery } from "../../database/run-query.ts";
import { SignetError } from "../../errors.ts";
import { type ChangeParts, changeObject, runChange } from "../../events/change-object.ts";
import type { Changed } from "../../events/object-details.ts";
import { LIMITS } from "../../limits.ts";
import { type DomainFields, domainVerified, holdDomain, selectDomain, updateDomain } from "./change-org-domain.ts";
import type { ProveDomain } from "./domain-proof.ts";

export interface ValidateOrgDomainParts extends ChangeParts {
  readonly proveDomain: ProveDomain;
}

/**
 * Looks for the token of a domain, and marks the domain as verified (docs/reference/organizations.md).
 *
 * Only an organization with the proof learns that another one has verified the domain.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND, ORG_DOMAIN_VERIFIED, ORG_DOMAIN_NOT_PROVED,
 *   ORG_DOMAIN_TAKEN, TOO_MANY_DOMAIN_CHECKS, ABORTED, or for a failure of the database.
 */
export async function validateOrgDomain(
  parts: ValidateOrgDomainParts,
  { domain: name }: DomainFields,
  call: Call,
): Promise<Changed> {
  const query = selectDomain(parts.db, call.orgId, name).compile();
  const [found] = await runQuery<InferResult<typeof query>[number]>(parts.db, query, call);
  const { token = null, validation_type: type = null } = found ?? {};
  if (token !== null && type !== null) {
    await countCheck(parts, call.orgId, call);
    const problem = await parts.proveDomain({ domain: name, type, token }, call.signal);
    call.throwIfOver();
    if (problem !== undefined) throw notProved(problem);
  } else if (found?.verified_at === null) throw notProved("call GenerateOrgDomainValidation first");
  return await runChange(parts, call, async (change) => {
    const { org, domain } = await holdDomain(change, name, call);
    if (domain.verified_at !== null) throw domainVerified();
    // It may have been replaced during the check, or the domain added since it was looked up.
    if (token === null || domain.token !== token) {
      throw new SignetError("ABORTED", "the domain was changed at the same time; try again");
    }
    const event = { type: "org.domain.verified", payload: { domain: name } } as const;
    const changed = await changeObject(change, "orgs", org, [event]);
    await updateDomain(change, domain, { verified_at: changed.details.changeDate, token: null }, changed);
    return changed;
  });
}

function notProved(problem: string): SignetError {
  return new SignetError("ORG_DOMAIN_NOT_PROVED", `domain: ${problem}`);
}

/**
 * Counts a check before it is made.
 *
 * @throws SignetError TOO_MANY_DOMAIN_CHECKS, or for a failure of the database.
 */
async function countCheck(
  parts: { readonly db: Database; readonly clock: Clock },
  orgId: string,
  caller: QueryCaller,
): Promise<void> {
  const limit = LIMITS.domainChecks;
  const retryAfterMs = await countInHour(parts, { key: `domain-checks:${orgId}`, limit }, caller);
  if (retryAfterMs === undefined) return;
  const message = `an organization can check its domains ${limit.most} times per hour`;
  throw new SignetError("TOO_MANY_DOMAIN_CHECKS", message, { retryAfterMs });
}
