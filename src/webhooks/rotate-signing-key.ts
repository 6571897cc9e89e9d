import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { SignWebhookParts } from "./add-webhook.ts";
import { toEventValues, type WebhookCall, webhookNotFound } from "./change-webhook.ts";
import { createSigningKey } from "./signing-key.ts";

/** How long deliveries are also signed with the key that a rotation has replaced. */
export const OVERLAP_MS = 24 * 3_600_000;

/**
 * Replaces the signing key of a webhook. For 24 hours, deliveries are also signed with the previous one (docs/api.md).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, or for a failure of the database.
 */
export async function rotateSigningKey(
  { db, keyring, clock }: SignWebhookParts,
  { id }: { readonly id: string },
  call: WebhookCall,
): Promise<Changed & { readonly signingKey: string }> {
  const now = clock();
  const { signingKey, row: key } = createSigningKey(keyring);
  const event = { type: "org.webhook.key.rotated", payload: {} } as const;
  const until = new Date(now.getTime() + OVERLAP_MS);
  const values = { ...toEventValues({ id, event, now }, call), ...key, until };
  const [row] = isId(id) ? await replaceKey(db, values, call, { signingKey }) : [];
  if (row === undefined) throw webhookNotFound(id);
  return { signingKey, ...toChanged(row, call.orgId) };
}

interface RotateValues extends EventValues {
  keyId: string;
  secret: Buffer;
  secretKey: string;
  until: Date;
}

/** Keeps the new key and the one before it. */
const replaceKey = prepareWrite<RotateValues, ObjectRow>((db, param, returnRows) => {
  const owner = param("ownerId", "uuid");
  return returnRows(
    db
      .with("changed", (query) =>
        query
          .updateTable("webhooks")
          .set({
            ...changedColumns(param, "webhooks"),
            previous_key_id: sql`webhooks.key_id`,
            previous_key_until: param("until", "timestamptz"),
            key_id: param("keyId", "uuid"),
          })
          .where("owner_id", "=", owner)
          .where("id", "=", param("aggregateId", "uuid"))
          .returning(["id", "sequence", "created_at", "changed_at", "previous_key_id"]),
      )
      .with(
        "stored_key",
        () =>
          sql<object>`(
          insert into webhook_keys (owner_id, id, webhook_id, secret, secret_key)
          select ${owner}, ${param("keyId", "uuid")}, changed.id, ${param("secret", "bytea")},
            ${param("secretKey", "text")}
          from changed)`,
      )
      .with(
        "dropped",
        () =>
          sql<object>`(
          delete from webhook_keys using changed
          where webhook_keys.owner_id = ${owner} and webhook_keys.webhook_id = changed.id
            and webhook_keys.id <> changed.previous_key_id)`,
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("result", (query) => query.selectFrom("changed").select(["sequence", "created_at", "changed_at"])),
  );
});
