import { sql } from "kysely";
import type { Call, QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { ObjectRow } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import { BUILT_IN_LABEL, type Label } from "./label-settings.ts";

/** A label policy with its details. */
export interface FoundLabel {
  readonly label: Label;
  /** The owner of the policy that was found: it may be inherited. The instance for the built-in policy. */
  readonly ownerId: string;
  /** Undefined for the built-in policy. */
  readonly row: ObjectRow | undefined;
  /** Whether the owner that was asked for has no policy of its own. */
  readonly isInherited: boolean;
}

export interface GetLabelPolicyParts {
  readonly db: Database;
}

/**
 * Returns the active label policy of an owner (docs/branding.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function getLabelPolicy(
  { db }: GetLabelPolicyParts,
  _fields: unknown,
  owner: Owner,
  call: Call,
): Promise<FoundLabel> {
  return await findLabel(db, "active", { ownerId: owner.id, instanceId: call.instanceId }, call);
}

/** The same for an organization, and the policy of the instance to compare. */
export async function getOrgLabelPolicy(
  parts: GetLabelPolicyParts,
  fields: unknown,
  owner: Owner,
  call: Call,
): Promise<FoundLabel & { readonly ofInstance: FoundLabel }> {
  const instance = { ownerId: call.instanceId, instanceId: call.instanceId };
  const [found, ofInstance] = await Promise.all([
    getLabelPolicy(parts, fields, owner, call),
    findLabel(parts.db, "active", instance, call),
  ]);
  return { ...found, ofInstance };
}

/** Finds the label policy of an owner, or the one that it inherits. An inherited one is always the active one. */
export async function findLabel(
  db: Database,
  state: "draft" | "active",
  { ownerId, instanceId }: LabelOwner,
  caller: QueryCaller,
): Promise<FoundLabel> {
  const [row] = await selectLabel(db, { ownerId, instanceId, isDraft: state === "draft" }, caller);
  if (row === undefined) return { label: BUILT_IN_LABEL, ownerId: instanceId, row: undefined, isInherited: true };
  return { label: row.label, ownerId: row.owner_id, row, isInherited: row.owner_id !== ownerId };
}

/** Whose label policy to find. */
export interface LabelOwner {
  /** The instance or an organization. */
  readonly ownerId: string;
  readonly instanceId: string;
}

interface LabelRow extends ObjectRow {
  owner_id: string;
  label: Label;
}

const selectLabel = prepareStatement<{ ownerId: string; instanceId: string; isDraft: boolean }, LabelRow>(
  (db, param) => {
    const label = sql<Label>`case
    when owner_id = ${param("ownerId", "uuid")} and ${param("isDraft", "boolean")} then draft else active end`;
    return db
      .selectFrom("brandings")
      .select(["owner_id", "sequence", "created_at", "changed_at", label.as("label")])
      .where("owner_id", "in", [sql<string>`${param("ownerId", "uuid")}`, sql<string>`${param("instanceId", "uuid")}`])
      .where(label, "is not", null)
      .orderBy(sql`owner_id = ${param("ownerId", "uuid")}`, "desc")
      .limit(1);
  },
);
