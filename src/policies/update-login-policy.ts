import { sql } from "kysely";
import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { type ChangePolicyParts, type PolicyCall, type PolicyValues, toPolicyValues } from "./add-login-policy.ts";
import type { LoginPolicy } from "./login-policy.ts";
import { policyNotFound } from "./policy-not-found.ts";

/**
 * Replaces the organization's own login policy (docs/api.md). If it has these values, nothing changes.
 *
 * @throws SignetError POLICY_NOT_FOUND, or for a failure of the database.
 */
export async function updateLoginPolicy(
  parts: ChangePolicyParts,
  policy: LoginPolicy,
  call: PolicyCall,
): Promise<Changed> {
  const event = { type: "org.login.policy.changed", payload: policy } as const;
  const [row] = await updatePolicy(parts.db, toPolicyValues(parts, call.orgId, event, call), call);
  if (row === undefined) throw policyNotFound();
  return toChanged(row, call.orgId);
}

/** Locks the organization before the policy, as all statements do that change both. */
const updatePolicy = prepareWrite<PolicyValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("owner", (query) =>
        query.selectFrom("orgs").select("id").where("id", "=", param("ownerId", "uuid")).forNoKeyUpdate(),
      )
      .with("held", (query) =>
        query
          .selectFrom("login_policies")
          .selectAll()
          .where("owner_id", "=", ({ selectFrom }) => selectFrom("owner").select("owner.id"))
          .forUpdate(),
      )
      .with("changed", (query) =>
        query
          .updateTable("orgs")
          .from("held")
          .set(changedColumns(param, "orgs"))
          .whereRef("orgs.id", "=", "held.owner_id")
          .where(sql<boolean>`held.settings <> ${param("settings", "jsonb")}`)
          .returning(["orgs.id", "orgs.sequence", "orgs.changed_at"]),
      )
      .with("written", (query) =>
        query
          .updateTable("login_policies")
          .from("changed")
          .set(({ ref }) => ({
            settings: sql<LoginPolicy>`${param("settings", "jsonb")}`,
            sequence: ref("changed.sequence"),
            changed_at: ref("changed.changed_at"),
          }))
          .whereRef("login_policies.owner_id", "=", "changed.id"),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("result", (query) =>
        query
          .selectFrom("held")
          .leftJoin("changed", (join) => join.onTrue())
          .select("held.created_at")
          .select(({ fn }) => [
            fn.coalesce("changed.sequence", "held.sequence").as("sequence"),
            fn.coalesce("changed.changed_at", "held.changed_at").as("changed_at"),
          ]),
      ),
  ),
);
