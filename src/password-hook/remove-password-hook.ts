import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { passwordHookNotFound } from "./get-password-hook.ts";
import { type ChangePasswordHookParts, type PasswordHookCall, toEventValues } from "./set-password-hook.ts";

/**
 * Removes the organization's password hook (docs/api.md).
 *
 * @throws SignetError PASSWORD_HOOK_NOT_FOUND, or for a failure of the database.
 */
export async function removePasswordHook(
  { db, clock }: ChangePasswordHookParts,
  _fields: object,
  call: PasswordHookCall,
): Promise<Changed> {
  const event = { type: "org.password.hook.removed", payload: {} } as const;
  const [row] = await deleteHook(db, toEventValues(event, clock(), call), call);
  if (row === undefined) throw passwordHookNotFound();
  return toChanged(row, call.orgId);
}

/** Locks the organization before the hook, as all statements do that change both. */
const deleteHook = prepareWrite<EventValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("owner", (query) =>
        query.selectFrom("orgs").select("id").where("id", "=", param("ownerId", "uuid")).forNoKeyUpdate(),
      )
      .with("removed", (query) =>
        query
          .deleteFrom("password_hooks")
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
