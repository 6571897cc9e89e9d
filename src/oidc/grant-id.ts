import { createId } from "../crypto/secrets.ts";

/** The id of a new grant. It contains the session's public id, because a grant is stored only while its session is. */
export function createGrantId(sessionUid: string): string {
  return `${sessionUid}.${createId()}`;
}

/** The public id of the session to which a grant belongs. Undefined for a grant of an earlier version. */
export function sessionUidOf(grantId: string): string | undefined {
  const end = grantId.indexOf(".");
  return end < 0 ? undefined : grantId.slice(0, end);
}
