import { type Expression, type RawBuilder, sql } from "kysely";
import type { Call, QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { ObjectRow } from "../events/object-details.ts";
import { type LoginPolicy, toLoginPolicy } from "./login-policy.ts";

/** A policy with its owner. */
export interface FoundLoginPolicy extends ObjectRow {
  readonly policy: LoginPolicy;
  readonly ownerId: string;
  /** Whether it is that of the instance. */
  readonly isDefault: boolean;
}

interface GetParts {
  readonly db: Database;
}

/**
 * Returns the login policy of the organization of the call: its own, or that of the instance, and the latter to compare
 * (docs/reference/login-policy.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function getLoginPolicy(
  parts: GetParts,
  _fields: object,
  call: Call,
): Promise<FoundLoginPolicy & { readonly ofInstance: FoundLoginPolicy }> {
  const [found, ofInstance] = await Promise.all([find(parts, call.orgId, call), find(parts, call.instanceId, call)]);
  return { ...found, ofInstance };
}

/**
 * Returns the login policy of the instance (docs/reference/login-policy.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function getInstanceLoginPolicy(parts: GetParts, _fields: object, call: Call): Promise<FoundLoginPolicy> {
  return await find(parts, call.instanceId, call);
}

async function find({ db }: GetParts, ownerId: string, call: Call): Promise<FoundLoginPolicy> {
  const [row] = await selectPolicy(db, { ownerId }, call);
  if (row === undefined) throw new Error("there is no instance");
  const { settings, instanceId, ...found } = row;
  return { ...found, policy: toLoginPolicy(settings), isDefault: row.ownerId === instanceId };
}

interface PolicyRow extends ObjectRow {
  settings: Partial<LoginPolicy> | null;
  ownerId: string;
  instanceId: string;
}

/** The policy of the instance exists since the instance does, even before it is stored. */
const selectPolicy = prepareStatement<{ ownerId: string }, PolicyRow>((db, param) =>
  db
    .selectFrom("instance")
    .leftJoin("login_policies as policy", (join) =>
      join.on(sql<boolean>`policy.owner_id in (${param("ownerId", "uuid")}, instance.id)`),
    )
    .select("policy.settings")
    .select("instance.id as instanceId")
    .select(({ fn }) => [
      fn.coalesce("policy.owner_id", "instance.id").as("ownerId"),
      fn.coalesce("policy.sequence", sql<bigint>`0`).as("sequence"),
      fn.coalesce("policy.created_at", "instance.created_at").as("created_at"),
      fn.coalesce("policy.changed_at", "instance.created_at").as("changed_at"),
    ])
    .orderBy(sql`policy.owner_id = ${param("ownerId", "uuid")}`, "desc")
    .limit(sql.lit(1))
    .$castTo<PolicyRow>(),
);

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
