import { isId } from "../crypto/secrets.ts";
import { isInstancePermission, type Requirement } from "../roles.ts";

/** The organization that the headers of a request select. */
export interface RequestedOrg {
  readonly given: boolean;
  /** Null for text that cannot be an id. */
  readonly id: string | null;
  /** The header that selects the organization, or that has the problem. */
  readonly header: "x-service-orgid" | "x-zitadel-orgid";
  readonly problem?: string;
}

const NO_ORG: RequestedOrg = { given: false, id: null, header: "x-service-orgid" };

/**
 * Both headers mean the same, and an empty one counts as absent. A permission on the instance ignores them. A problem is
 * returned, not thrown, because a caller without a valid token learns nothing about other headers.
 *
 * @param own The header `x-service-orgid`.
 * @param published The header `x-zitadel-orgid`.
 */
export function readRequestedOrg(permission: Requirement, own = "", published = ""): RequestedOrg {
  if (isInstancePermission(permission) || (own === "" && published === "")) return NO_ORG;
  const header = own === "" ? "x-zitadel-orgid" : "x-service-orgid";
  const text = own || published;
  // Repeated headers arrive joined by commas (RFC 9110, section 5.3).
  if (text.includes(",")) return { given: true, id: null, header, problem: "must appear only once" };
  if (!/^[\x20-\x7e]*$/.test(text)) return { given: true, id: null, header, problem: "must be ASCII" };
  if (published !== "" && published.toLowerCase() !== text.toLowerCase()) {
    const problem = "must have the same value as x-service-orgid, or be absent";
    return { given: true, id: null, header: "x-zitadel-orgid", problem };
  }
  return { given: true, id: isId(text) ? text.toLowerCase() : null, header };
}
