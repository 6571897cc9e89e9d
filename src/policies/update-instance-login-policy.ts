import { sql } from "kysely";
import type { Call } from "../call.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { type ChangePolicyParts, type PolicyValues, toPolicyValues } from "./add-login-policy.ts";
import type { LoginPolicy } from "./login-policy.ts";

/**
 * Replaces the login policy of the instance (docs/api.md). If it has these values, nothing changes.
 *
 * @throws SignetError for a failure of the database.
 */
export async function updateInstanceLoginPolicy(
  parts: ChangePolicyParts,
  policy: LoginPolicy,
  call: Call,
): Promise<Changed> {
  const event = { type: "instance.login.policy.changed", payload: policy } as const;
  const [row] = await writePolicy(parts.db, toPolicyValues(parts, call.instanceId, event, call), call);
  if (row === undefined) throw new Error("there is no instance");
  return toChanged(row, call.instanceId);
}

/** Stores the policy if there is none. Concurrent statements wait for the row of the instance. */
const writePolicy = prepareWrite<PolicyValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("existing", (query) =>
        query.selectFrom("login_policies").selectAll().where("owner_id", "=", param("ownerId", "uuid")),
      )
      .with("changed", (query) =>
        query
          .updateTable("instance")
          .set(changedColumns(param, "instance"))
          .where("id", "=", param("ownerId", "uuid"))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("existing")
                  .select("existing.owner_id")
                  .where(sql<boolean>`existing.settings = ${param("settings", "jsonb")}`),
              ),
            ),
          )
          .returning(["instance.id", "instance.sequence", "instance.changed_at"]),
      )
      .with("written", (query) =>
        query
          .insertInto("login_policies")
          .columns(["owner_id", "settings", "sequence", "created_at", "changed_at"])
          .expression(
            query
              .selectFrom("changed")
              .select("changed.id")
              .select(sql<LoginPolicy>`${param("settings", "jsonb")}`.as("settings"))
              .select(["changed.sequence", "changed.changed_at as created_at", "changed.changed_at"]),
          )
          .onConflict((conflict) =>
            conflict.column("owner_id").doUpdateSet(({ ref }) => ({
              settings: ref("excluded.settings"),
              sequence: ref("excluded.sequence"),
              changed_at: ref("excluded.changed_at"),
            })),
          )
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("result", (query) =>
        query
          .selectFrom("written")
          .select(["sequence", "created_at", "changed_at"])
          .unionAll(
            query
              .selectFrom("existing")
              .select(["sequence", "created_at", "changed_at"])
              .where(({ not, exists, selectFrom }) => not(exists(selectFrom("changed").select("changed.id")))),
          ),
      ),
  ),
);
