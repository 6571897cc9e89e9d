import type { MessageInitShape } from "@bufbuild/protobuf";
import { type DomainSchema, DomainValidationType } from "../../../gen/signet/v1/org_domain_pb.js";
import type { Call } from "../../call.ts";
import type { DomainRow } from "../../orgs/domains/list-org-domains.ts";
import { toDetails } from "./details.ts";

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
