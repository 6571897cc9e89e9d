import type { CallOptions } from "@connectrpc/connect";

/** The options of a call in an organization: by default, that of the token, or the default one of the database. */
export function inOrg(orgId: string | undefined): CallOptions {
  return orgId === undefined ? {} : { headers: { "x-service-orgid": orgId } };
}
