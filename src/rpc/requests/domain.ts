import type { DescMessage } from "@bufbuild/protobuf";
import {
  DomainValidationType,
  type GenerateOrgDomainValidationRequest,
  type ListOrgDomainsRequest,
} from "../../../gen/signet/v1/org_domain_pb.js";
import type { Problems } from "../../errors.ts";
import { checkDomain } from "../../orgs/domains/add-org-domain.ts";
import type { DomainValidation } from "../../orgs/domains/generate-domain-validation.ts";
import { DOMAIN_ORDER, type DomainSearch } from "../../orgs/domains/list-org-domains.ts";
import { toListQuery } from "./list-query.ts";
import { toTextMatch } from "./text-match.ts";

/** The fields for `listOrgDomains`. */
export function toDomainSearch(request: ListOrgDomainsRequest, problems: Problems, schema: DescMessage): DomainSearch {
  return {
    page: toListQuery(schema, request, DOMAIN_ORDER, problems),
    conditions: request.queries.flatMap(({ query }, n) => {
      if (query.case !== undefined) return { name: query.value.name, match: toTextMatch(query.value.method) };
      problems.add(`queries[${n}]`, "must contain a condition");
      return [];
    }),
  };
}

/** The fields for `generateDomainValidation`. */
export function toDomainValidation(request: GenerateOrgDomainValidationRequest, problems: Problems): DomainValidation {
  if (request.type === DomainValidationType.UNSPECIFIED) problems.add("type", "is required");
  return { ...checkDomain(request), type: request.type === DomainValidationType.HTTP ? "http" : "dns" };
}
