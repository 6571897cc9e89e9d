import { sql } from "kysely";
import { isAllowed, type Operator, type Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { invalidArgument, SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { ChangeOrgParts } from "../orgs/add-org.ts";
import { HAS_LAST_OWNER, HAS_OUTSIDE_ROLE } from "../orgs/change-org-state.ts";
import { orgNotFound } from "../orgs/get-org.ts";

interface RemoveOrgFields {
  /** The name of the organization. */
  readonly confirmName: string;
}

/** How far the removal is. */
export interface RemovalProgress {
  /** The users that have been erased so far. */
  readonly erasedUsers: bigint;
  /** Whether everything is deleted that belonged to the organization. */
  readonly isComplete: boolean;
}

/**
 * Removes the organization of the call (docs/api.md). The statement marks it, so that it has ceased to exist for
 * everybody, and its name can be used again; `createOrgRemoval` then deletes what belongs to it.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_PROTECTED, LAST_OWNER, PERMISSION_DENIED, INVALID_ARGUMENT for another name, or
 *   for a failure of the database.
 */
export async function removeMyOrg(
  parts: ChangeOrgParts,
  fields: RemoveOrgFields,
  call: Call<Principal | Operator>,
): Promise<Changed> {
  const row = await markOrg(parts, { id: call.orgId, isRepeatable: false, ...fields }, call);
  return toChanged(row, call.orgId);
}

/**
 * Removes an organization of the instance, as `removeMyOrg`. Repeated, it returns the progress until the removal is over.
 *
 * @throws SignetError as `removeMyOrg`.
 */
export async function removeOrg(
  parts: ChangeOrgParts,
  { orgId, confirmName }: RemoveOrgFields & { readonly orgId: string },
  call: Call<Principal | Operator>,
): Promise<Changed & RemovalProgress> {
  const id = orgId.toLowerCase();
  const row = await markOrg(parts, { id, isRepeatable: true, confirmName }, call);
  return { ...toChanged(row, id), erasedUsers: row.erased_users, isComplete: row.is_complete };
}

interface Removal extends RemoveOrgFields {
  readonly id: string;
  /** Whether the removal of an organization that is removed already succeeds. */
  readonly isRepeatable: boolean;
}

async function markOrg(
  { db, clock }: ChangeOrgParts,
  { id, isRepeatable, confirmName }: Removal,
  call: Call<Principal | Operator>,
): Promise<RemovedRow> {
  const values = {
    ownerId: id,
    aggregateId: id,
    editorId: call.userId,
    now: clock(),
    events: eventsToJson([{ type: "org.removed", payload: {} }]),
    name: confirmName,
    isRepeatable,
    mayRemoveMembers: isAllowed(call, "iam.member.write"),
  };
  const stored = isRepeatable ? { erasedUsers: 0n, isComplete: false } : undefined;
  const [row] = isId(id) ? await markRemoved(db, values, call, stored) : [];
  if (row === undefined || row.refusal === "GONE") throw orgNotFound(id, "the organization does not exist");
  if (row.refusal !== null) throw toError(row.refusal);
  return row;
}

/** `GONE`: it is removed already. `MEMBER`: one of its users has a role outside of it. `NAME`: the name is another one. */
type Refusal = "GONE" | "ORG_PROTECTED" | "LAST_OWNER" | "MEMBER" | "NAME";

interface RemovedRow extends ObjectRow {
  refusal: Refusal | null;
  erased_users: bigint;
  is_complete: boolean;
}

function toError(refusal: Exclude<Refusal, "GONE">): SignetError {
  switch (refusal) {
    case "ORG_PROTECTED":
      return new SignetError(refusal, "the default organization cannot be removed");
    case "LAST_OWNER":
      return new SignetError(refusal, "no active user of another organization has the role INSTANCE_OWNER");
    case "MEMBER": {
      const message = "a user of the organization has a role outside of it, and the caller may not remove that user";
      return new SignetError("PERMISSION_DENIED", message);
    }
    case "NAME":
      return invalidArgument({ field: "confirmName", description: "must be the name of the organization" });
    default:
      return refusal satisfies never;
  }
}

interface RemoveValues extends EventValues {
  name: string;
  isRepeatable: boolean;
  mayRemoveMembers: boolean;
}

/**
 * No organization can have the format of an id as its name, so the id replaces the name that others may use. The domains
 * are deleted, so that others can verify them: an organization has at most 100.
 */
const markRemoved = prepareWrite<RemoveValues, RemovedRow>(
  (db, param, returnRows) => {
    const refusal = sql<Refusal | null>`case
      when held.removed_at is not null then case when not ${param("isRepeatable", "boolean")} then 'GONE' end
      when held.name <> ${param("name", "text")} then 'NAME'
      when held.id = (select default_org_id from instance) then 'ORG_PROTECTED'
      when ${HAS_LAST_OWNER} then 'LAST_OWNER'
      when not ${param("mayRemoveMembers", "boolean")} and ${HAS_OUTSIDE_ROLE} then 'MEMBER' end`;
    return returnRows(
      db
        .with("held", (query) =>
          query.selectFrom("orgs").selectAll().where("id", "=", param("aggregateId", "uuid")).forUpdate(),
        )
        .with("decided", () => sql<{ refusal: Refusal | null }>`(select ${refusal} as refusal from held)`)
        .with("changed", (query) =>
          query
            .updateTable("orgs")
            .from(["held", "decided"])
            .set({
              removed_at: param("now", "timestamptz"),
              removal_due_at: param("now", "timestamptz"),
              state: sql.lit("inactive" as const),
              name_key: sql<string>`orgs.id::text`,
              primary_domain: null,
              ...changedColumns(param, "orgs"),
            })
            .whereRef("orgs.id", "=", "held.id")
            .where("held.removed_at", "is", null)
            .where("decided.refusal", "is", null)
            .returning(["orgs.id", "orgs.sequence", "orgs.changed_at"]),
        )
        .with("freed", (query) =>
          query.deleteFrom("org_domains").using("changed").whereRef("org_domains.org_id", "=", "changed.id"),
        )
        .with("appended", () => appendEvents(param, "changed"))
        .with("result", (query) =>
          query
            .selectFrom("held")
            .innerJoin("decided", (join) => join.onTrue())
            .leftJoin("changed", (join) => join.onTrue())
            .select(["decided.refusal", "held.created_at", "held.erased_users"])
            .select(sql<boolean>`held.erased_at is not null`.as("is_complete"))
            .select(({ fn }) => [
              fn.coalesce("changed.sequence", "held.sequence").as("sequence"),
              fn.coalesce("changed.changed_at", "held.changed_at").as("changed_at"),
            ]),
        ),
    );
  },
  { isDone: sql<boolean>`result.refusal is null` },
);
