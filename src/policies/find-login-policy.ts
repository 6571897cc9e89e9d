import { type Expression, type RawBuilder, sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { type LoginPolicy, toLoginPolicy } from "./login-policy.ts";

/**
 * The stored settings of the policy that applies in an organization: its own, or those of the instance; null if neither
 * has any. `toLoginPolicy` reads them. The table has a row for each policy, so this takes one lookup in its key.
 */
export function effectiveSettings(orgId: Expression<unknown>): RawBuilder<Partial<LoginPolicy> | null> {
  return sql`(
    select policy.settings from login_policies as policy
    where policy.owner_id in (${orgId}, (select instance.id from instance))
    order by policy.owner_id = ${orgId} desc limit 1)`;
}

/** Whether the policy that applies in an organization allows domain discovery, without reading the whole policy. */
export function allowsDiscovery(orgId: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce((${effectiveSettings(orgId)} ->> 'allowDomainDiscovery')::boolean, false)`;
}

/** Finds the policy that applies in an organization, for pages outside of a sign-in. */
export async function findLoginPolicy(
  { db }: { readonly db: Database },
  orgId: string,
  caller: QueryCaller,
): Promise<LoginPolicy> {
  const [row] = await selectSettings(db, { orgId }, caller);
  return toLoginPolicy(row?.settings ?? null);
}

const selectSettings = prepareStatement<{ orgId: string }, { settings: Partial<LoginPolicy> | null }>((db, param) =>
  db.selectNoFrom(effectiveSettings(param("orgId", "uuid")).as("settings")),
);
