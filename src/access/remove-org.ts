import type { Call } from "../call.ts";
import { invalidArgument } from "../errors.ts";
import { type ChangeParts, changeObject, inChange } from "../events/change-object.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import { holdOrg, throwIfNeeded } from "../orgs/change-org.ts";
import { orgNotFound } from "../orgs/list-orgs.ts";

interface RemoveOrgFields {
  /** The name of the organization. */
  readonly confirmName: string;
}

/** How far the removal is. */
interface RemovalProgress {
  /** The users that have been erased so far. */
  readonly erasedUsers: bigint;
  /** Whether everything is deleted that belonged to the organization. */
  readonly isComplete: boolean;
}

/**
 * Removes the organization of the call (docs/reference/organizations.md). The change marks it, so that it has ceased to
 * exist for everybody, and its name can be used again; `createOrgRemoval` then deletes what belongs to it.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_PROTECTED, LAST_OWNER, PERMISSION_DENIED, INVALID_ARGUMENT for another name, or
 *   for a failure of the database.
 */
export async function removeMyOrg(parts: ChangeParts, fields: RemoveOrgFields, call: Call): Promise<Changed> {
  const { details } = await markOrg(parts, { orgId: call.orgId, isRepeatable: false, ...fields }, call);
  return { details };
}

/**
 * Removes an organization of the instance, as `removeMyOrg`. Repeated, it returns the progress until the removal is over.
 *
 * @throws SignetError as `removeMyOrg`.
 */
export async function removeOrg(
  parts: ChangeParts,
  fields: RemoveOrgFields & { readonly orgId: string },
  call: Call,
): Promise<Changed & RemovalProgress> {
  return await markOrg(parts, { ...fields, isRepeatable: true }, call);
}

interface Removal extends RemoveOrgFields {
  readonly orgId: string;
  /** Whether the removal of an organization that is removed already succeeds. */
  readonly isRepeatable: boolean;
}

/**
 * No organization can have the format of an id as its name, so the id replaces the name that others may use. The domains
 * are deleted, so that others can verify them: an organization has at most 100.
 */
const markOrg = inChange(
  async (change, { orgId, isRepeatable, confirmName }: Removal, call): Promise<Changed & RemovalProgress> => {
    const org = await holdOrg(change, orgId, "for update");
    const progress = { erasedUsers: org.erased_users, isComplete: org.erased_at !== null };
    if (org.removed_at !== null) {
      if (!isRepeatable) throw orgNotFound(org.id, "the organization does not exist");
      return { ...progress, ...toChanged(org, org.id) };
    }
    if (org.name !== confirmName) {
      throw invalidArgument({ field: "confirmName", description: "must be the name of the organization" });
    }
    await throwIfNeeded(change, org.id, call, "remove");
    await change.db.deleteFrom("org_domains").where("org_id", "=", org.id).execute();
    const columns = {
      removed_at: change.now,
      removal_due_at: change.now,
      state: "inactive",
      name_key: org.id,
      primary_domain: null,
    } as const;
    const event = { type: "org.removed", payload: {} } as const;
    return { ...progress, ...(await changeObject(change, "orgs", org, [event], columns)) };
  },
);
