import type { Call } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { toDomain } from "../../fields/domain.ts";

/**
 * Whether an email address is in a verified domain of the organization.
 *
 * @throws SignetError for a failure of the database.
 */
export async function isCoveredAddress({ db }: { readonly db: Database }, email: string, call: Call): Promise<boolean> {
  const name = toDomain(email.slice(email.lastIndexOf("@") + 1));
  if (name === "") return false;
  return (await selectVerified(db, { orgId: call.orgId, name }, call)).length > 0;
}

const selectVerified = prepareStatement<{ orgId: string; name: string }, { name: string }>((db, param) =>
  db
    .selectFrom("org_domains")
    .select("name")
    .where("org_id", "=", param("orgId", "uuid"))
    .where("name", "=", param("name", "text"))
    .where("verified_at", "is not", null),
);
