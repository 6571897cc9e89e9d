import { sql } from "kysely";
import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { SignetError } from "../errors.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { type ChangeWebhookParts, LAST_POSITION, toEventValues, type WebhookCall } from "./change-webhook.ts";
import { toWebhookPayload, type WebhookSettings } from "./check-webhook.ts";
import { createSigningKey } from "./signing-key.ts";

export interface SignWebhookParts extends ChangeWebhookParts {
  readonly keyring: Keyring;
}

/** The most webhooks of an organization, also inactive ones. */
export const MAX_WEBHOOKS = 20;
/** Webhooks that are added at once may choose the same slot. */
const MAX_ATTEMPTS = 5;

/**
 * Adds a webhook to the organization (docs/api.md). The signing key cannot be shown again.
 *
 * @throws SignetError TOO_MANY_WEBHOOKS, or for a failure of the database.
 */
export async function addWebhook(
  { db, keyring, clock }: SignWebhookParts,
  { name, url, eventTypes, includesPayload }: WebhookSettings,
  call: WebhookCall,
): Promise<Changed & { readonly id: string; readonly signingKey: string }> {
  const settings = { name, url, eventTypes: [...eventTypes], includesPayload };
  const id = createId();
  const { signingKey, row: key } = createSigningKey(keyring);
  const created = { id, signingKey };
  const event = { type: "org.webhook.added", payload: toWebhookPayload(settings) } as const;
  for (let attempt = 1; ; attempt++) {
    try {
      const values = { ...toEventValues({ id, event, now: clock() }, call), ...settings, ...key };
      const [row] = await insertWebhook(db, values, call, created);
      if (row === undefined) throw tooManyWebhooks();
      return { ...created, ...toChanged(row, call.orgId) };
    } catch (error) {
      const isConflict = error instanceof SignetError && error.reason === "ABORTED";
      if (!isConflict || attempt === MAX_ATTEMPTS) throw error;
      call.throwIfOver();
    }
  }
}

function tooManyWebhooks(): SignetError {
  const message = `the organization has ${MAX_WEBHOOKS} webhooks, which is the maximum`;
  return new SignetError("TOO_MANY_WEBHOOKS", message, { metadata: { limit: String(MAX_WEBHOOKS) } });
}

interface InsertValues extends EventValues {
  name: string;
  url: string;
  eventTypes: string[];
  includesPayload: boolean;
  keyId: string;
  secret: Buffer;
  secretKey: string;
}

/** Inserts nothing if all slots of the organization are taken. */
const insertWebhook = prepareWrite<InsertValues, ObjectRow>((db, param, returnRows) => {
  const { sequence, created_at, changed_at } = createdColumns(param);
  const owner = param("ownerId", "uuid");
  return returnRows(
    db
      .with(
        "free",
        () =>
          sql<{ slot: number }>`(
          select min(number)::smallint as slot from generate_series(1, ${sql.lit(MAX_WEBHOOKS)}) as slots (number)
          where not exists (select from webhooks where webhooks.owner_id = ${owner} and webhooks.slot = number))`,
      )
      .with(
        "created",
        () =>
          sql<ObjectRow>`(
          insert into webhooks (owner_id, id, slot, name, url, event_types, includes_payload, position, key_id,
            sequence, created_at, changed_at)
          select ${owner}, ${param("aggregateId", "uuid")}, free.slot, ${param("name", "text")}, ${param("url", "text")},
            ${param("eventTypes", "text[]")}, ${param("includesPayload", "boolean")}, ${LAST_POSITION},
            ${param("keyId", "uuid")}, ${sequence}, ${created_at}, ${changed_at}
          from free where free.slot is not null
          returning sequence, created_at, changed_at)`,
      )
      .with(
        "stored_key",
        () =>
          sql<object>`(
          insert into webhook_keys (owner_id, id, webhook_id, secret, secret_key)
          select ${owner}, ${param("keyId", "uuid")}, ${param("aggregateId", "uuid")}, ${param("secret", "bytea")},
            ${param("secretKey", "text")}
          from created)`,
      )
      .with("appended", () => appendEvents(param, "created"))
      .with("result", (query) => query.selectFrom("created").selectAll()),
  );
});
