import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { removedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { type ChangeWebhookParts, toEventValues, type WebhookCall, webhookNotFound } from "./change-webhook.ts";

/**
 * Removes a webhook (docs/api.md). Nothing is sent to it any more; its deliveries are deleted later (`ENDED_DELIVERIES`).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, or for a failure of the database.
 */
export async function removeWebhook(
  { db, clock }: ChangeWebhookParts,
  { id }: { readonly id: string },
  call: WebhookCall,
): Promise<Changed> {
  const event = { type: "org.webhook.removed", payload: {} } as const;
  const values = toEventValues({ id, event, now: clock() }, call);
  const [row] = isId(id) ? await deleteWebhook(db, values, call) : [];
  if (row === undefined) throw webhookNotFound(id);
  return toChanged(row, call.orgId);
}

/** The keys are deleted by `on delete cascade`. */
const deleteWebhook = prepareWrite<EventValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("removed", (query) =>
        query
          .deleteFrom("webhooks")
          .where("owner_id", "=", param("ownerId", "uuid"))
          .where("id", "=", param("aggregateId", "uuid"))
          .returning(removedColumns(param, "webhooks")),
      )
      .with("appended", () => appendEvents(param, "removed"))
      .with("result", (query) => query.selectFrom("removed").select(["sequence", "created_at", "changed_at"])),
  ),
);
