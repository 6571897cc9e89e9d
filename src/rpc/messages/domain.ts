import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type DomainSchema,
  type DomainSearchQuery,
  DomainValidationType,
  type GenerateOrgDomainValidationRequest,
  type ListOrgDomainsRequest,
} from "../../../gen/signet/v1/org_domain_pb.js";
import type { Call } from "../../call.ts";
import type { Problems } from "../../errors.ts";
import { checkDomain, type DomainValidation } from "../../orgs/domains/change-org-domain.ts";
import { DOMAIN_ORDER, type DomainRow, type DomainSearch } from "../../orgs/domains/list-org-domains.ts";
import { toDetails } from "./details.ts";
import { conditionsOf, searchOf, toTextMatch } from "./list.ts";

/** The fields for `listOrgDomains`. */
export const toDomainSearch = searchOf(DOMAIN_ORDER, ({ queries }: ListOrgDomainsRequest, problems) => ({
  conditions: toConditions(queries, problems),
}));

const toConditions = conditionsOf<DomainSearchQuery, DomainSearch["conditions"][number]>({
  domainNameQuery: ({ name, method }) => ({ name, match: toTextMatch(method) }),
});

/** The fields for `generateDomainValidation`. */
export function toDomainValidation(request: GenerateOrgDomainValidationRequest, problems: Problems): DomainValidation {
  if (request.type === DomainValidationType.UNSPECIFIED) problems.add("type", "is required");
  return { ...checkDomain(request), type: request.type === DomainValidationType.HTTP ? "http" : "dns" };
}

/** Converts a row to a domain in a response. */
export function toDomainItem(row: DomainRow, { orgId }: Call): MessageInitShape<typeof DomainSchema> {
  return {
    orgId,
    details: toDetails(row, orgId),
    domainName: row.name,
    isVerified: row.is_verified,
    isPrimary: row.is_primary,
    validationType: row.validation_type === null ? DomainValidationType.UNSPECIFIED : TYPES[row.validation_type],
  };
}

const TYPES = { dns: DomainValidationType.DNS, http: DomainValidationType.HTTP } as const;
