import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { createLinkSecret } from "../../crypto/secrets.ts";
import type { Changed } from "../../events/object-details.ts";
import type { ChangeOrgParts } from "../add-org.ts";
import type { DomainFields } from "./add-org-domain.ts";
import { type DomainProofType, toProofPlace } from "./domain-proof.ts";
import { domainColumns, notFoundOr, prepareDomainChange } from "./prepare-domain-change.ts";

/** The fields of GenerateOrgDomainValidation. */
export interface DomainValidation extends DomainFields {
  readonly type: DomainProofType;
}

/** What to publish, and where. */
export interface GeneratedValidation {
  readonly token: string;
  /** The URL of a file, or the name of a TXT record. */
  readonly url: string;
}

/**
 * Generates the token with which the organization proves that it controls a domain (docs/api.md). It replaces an
 * earlier one.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_DOMAIN_NOT_FOUND, ORG_DOMAIN_VERIFIED, or for a failure of the database.
 */
export async function generateDomainValidation(
  parts: ChangeOrgParts,
  { domain, type }: DomainValidation,
  call: Call,
): Promise<Changed & GeneratedValidation> {
  const token = createLinkSecret();
  const generated = { token, url: toProofPlace(type, domain, token) };
  const event = { type: "org.domain.verification.added", payload: { domain, type } } as const;
  return { ...generated, ...(await storeToken(parts, { domain, token, proofType: type, event }, call, generated)) };
}

const storeToken = prepareDomainChange<{ token: string; proofType: DomainProofType }>({
  write: (param) => {
    const { sequence, changedAt } = domainColumns(param);
    return sql`(
      update org_domains set token = ${param("token", "text")}, validation_type = ${param("proofType", "text")},
        sequence = ${sequence}, changed_at = ${changedAt}
      from held
      where org_domains.org_id = held.id and org_domains.name = ${param("domain", "text")}
        and org_domains.verified_at is null
      returning org_domains.name)`;
  },
  refusal: (param) => notFoundOr(param, "ORG_DOMAIN_VERIFIED"),
});
