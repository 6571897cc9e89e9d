import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { type ChangePolicyParts, type PolicyCall, type PolicyValues, toPolicyValues } from "./add-login-policy.ts";
import { policyNotFound } from "./policy-not-found.ts";

/**
 * Removes the organization's own login policy, so that it inherits that of the instance again (docs/api.md).
 *
 * @throws SignetError POLICY_NOT_FOUND, or for a failure of the database.
 */
export async function removeLoginPolicy(parts: ChangePolicyParts, _fields: object, call: PolicyCall): Promise<Changed> {
  const event = { type: "org.login.policy.removed", payload: {} } as const;
  const [row] = await deletePolicy(parts.db, toPolicyValues(parts, call.orgId, event, call), call);
  if (row === undefined) throw policyNotFound();
  return toChanged(row, call.orgId);
}

/** Locks the organization before the policy, as all statements do that change both. */
const deletePolicy = prepareWrite<PolicyValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("owner", (query) =>
        query.selectFrom("orgs").select("id").where("id", "=", param("ownerId", "uuid")).forNoKeyUpdate(),
      )
      .with("removed", (query) =>
        query
          .deleteFrom("login_policies")
          .where("owner_id", "=", ({ selectFrom }) => selectFrom("owner").select("owner.id"))
          .returning(["owner_id", "created_at"]),
      )
      .with("changed", (query) =>
        query
          .updateTable("orgs")
          .from("removed")
          .set(changedColumns(param, "orgs"))
          .whereRef("orgs.id", "=", "removed.owner_id")
          .returning(["orgs.sequence", "orgs.changed_at", "removed.created_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("result", (query) => query.selectFrom("changed").select(["sequence", "created_at", "changed_at"])),
  ),
);
