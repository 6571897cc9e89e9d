import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import { SignetError } from "../errors.ts";
import {
  addObject,
  type Change,
  type ChangeParts,
  changeObject,
  holdObject,
  holdOwner,
  inChange,
  removeObject,
} from "../events/change-object.ts";
import { toWebhookPayload, type WebhookSettings } from "./check-webhook.ts";
import { createSigningKey, type NewSigningKey } from "./signing-key.ts";

interface SignWebhookParts extends ChangeParts {
  readonly keyring: Keyring;
}

interface WebhookId {
  readonly id: string;
}

/** The most webhooks of an organization, also inactive ones. */
export const MAX_WEBHOOKS = 20;

/**
 * Adds a webhook to the organization (docs/reference/webhooks.md). The signing key cannot be shown again.
 *
 * @throws SignetError TOO_MANY_WEBHOOKS, or for a failure of the database, like all operations in this file.
 */
export const addWebhook = inChange(async (change, settings: WebhookSettings, call, { keyring }: SignWebhookParts) => {
  const webhook = { owner_id: call.orgId, id: createId() };
  const { signingKey, row: key } = createSigningKey(keyring);
  const columns = {
    ...webhook,
    ...toColumns(settings),
    slot: await findFreeSlot(change, call.orgId),
    position: await readLastPosition(change),
    key_id: key.keyId,
  };
  const event = { type: "org.webhook.added", payload: toWebhookPayload(settings) } as const;
  const added = await addObject(change, "webhooks", columns, [event]);
  await insertKey(change, webhook, key);
  return { id: webhook.id, signingKey, ...added };
});

/**
 * Replaces the settings of a webhook (docs/reference/webhooks.md). Deliveries that wait are sent to the new URL.
 *
 * @throws SignetError WEBHOOK_NOT_FOUND.
 */
export const updateWebhook = inChange(async (change, { id, ...settings }: WebhookSettings & WebhookId, call) => {
  const webhook = await holdWebhook(change, id, call);
  const event = { type: "org.webhook.changed", payload: toWebhookPayload(settings) } as const;
  return await changeObject(change, "webhooks", webhook, [event], toColumns(settings));
});

/**
 * Deactivates a webhook: nothing is sent to it, and it does not get the events that are recorded until it is
 * reactivated (docs/reference/webhooks.md).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, WEBHOOK_STATE.
 */
export const deactivateWebhook = inChange(async (change, { id }: WebhookId, call) => {
  const webhook = await holdWebhook(change, id, call);
  if (webhook.state !== "active") throw webhookState("WEBHOOK_STATE_INACTIVE");
  const event = { type: "org.webhook.deactivated", payload: {} } as const;
  return await changeObject(change, "webhooks", webhook, [event], { state: "inactive" });
});

/**
 * Reactivates a webhook. Deliveries that waited when it was deactivated are continued (docs/reference/webhooks.md).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, WEBHOOK_STATE.
 */
export const reactivateWebhook = inChange(async (change, { id }: WebhookId, call) => {
  const webhook = await holdWebhook(change, id, call);
  if (webhook.state === "active") throw webhookState("WEBHOOK_STATE_ACTIVE");
  const columns = { state: "active", position: await readLastPosition(change, webhook.position) } as const;
  return await changeObject(change, "webhooks", webhook, [{ type: "org.webhook.reactivated", payload: {} }], columns);
});

/**
 * Removes a webhook (docs/reference/webhooks.md). Nothing is sent to it any more; its deliveries are deleted later
 * (`ENDED_DELIVERIES`).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND.
 */
export const removeWebhook = inChange(async (change, { id }: WebhookId, call) => {
  const webhook = await holdWebhook(change, id, call);
  // The keys are deleted by `on delete cascade`.
  return await removeObject(change, "webhooks", webhook, [{ type: "org.webhook.removed", payload: {} }]);
});

/** How long deliveries are also signed with the key that a rotation has replaced. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Replaces the signing key of a webhook. For 24 hours, deliveries are also signed with the previous one
 * (docs/reference/webhooks.md).
 *
 * @throws SignetError WEBHOOK_NOT_FOUND.
 */
export const rotateSigningKey = inChange(async (change, { id }: WebhookId, call, { keyring }: SignWebhookParts) => {
  const webhook = await holdWebhook(change, id, call);
  const { signingKey, row: key } = createSigningKey(keyring);
  await change.db
    .deleteFrom("webhook_keys")
    .where("owner_id", "=", call.orgId)
    .where("webhook_id", "=", webhook.id)
    .where("id", "<>", webhook.key_id)
    .execute();
  await insertKey(change, webhook, key);
  const previous_key_until = new Date(change.now.getTime() + OVERLAP_MS);
  const columns = { key_id: key.keyId, previous_key_id: webhook.key_id, previous_key_until };
  const event = { type: "org.webhook.key.rotated", payload: {} } as const;
  return { signingKey, ...(await changeObject(change, "webhooks", webhook, [event], columns)) };
});

/** Locks a webhook of the organization. @throws SignetError WEBHOOK_NOT_FOUND. */
export async function holdWebhook(change: Change, id: string, { orgId }: Call) {
  const webhook = await holdObject(change, "webhooks", { owner_id: orgId, id });
  if (webhook === undefined) throw webhookNotFound(id);
  return webhook;
}

export function webhookNotFound(id: string): SignetError {
  const message = "id: no webhook of the organization has this id";
  return new SignetError("WEBHOOK_NOT_FOUND", message, { metadata: { webhookId: id } });
}

function webhookState(state: "WEBHOOK_STATE_ACTIVE" | "WEBHOOK_STATE_INACTIVE"): SignetError {
  return new SignetError("WEBHOOK_STATE", `the webhook is already in the state ${state}`, { metadata: { state } });
}

function toColumns({ name, url, eventTypes, includesPayload }: WebhookSettings) {
  return { name, url, event_types: [...eventTypes], includes_payload: includesPayload };
}

/** Locks the organization, so that webhooks that are added at once do not choose the same slot. */
async function findFreeSlot(change: Change, orgId: string): Promise<number> {
  await holdOwner(change, { kind: "org", id: orgId });
  const rows = await change.db.selectFrom("webhooks").select("slot").where("owner_id", "=", orgId).execute();
  const taken = new Set(rows.map(({ slot }) => slot));
  for (let slot = 1; slot <= MAX_WEBHOOKS; slot++) if (!taken.has(slot)) return slot;
  const message = `the organization has ${MAX_WEBHOOKS} webhooks, which is the maximum`;
  throw new SignetError("TOO_MANY_WEBHOOKS", message, { metadata: { limit: String(MAX_WEBHOOKS) } });
}

/**
 * The position from which on a new or reactivated webhook gets the events: those that are recorded later, including the
 * event of this change.
 *
 * @param least The position of a webhook that was reactivated.
 */
async function readLastPosition({ db }: Change, least = 0n): Promise<bigint> {
  const { last } = await db
    .selectFrom("events")
    .select(sql<bigint>`greatest(max(position), ${least})`.as("last"))
    .executeTakeFirstOrThrow();
  return last;
}

async function insertKey(
  { db }: Change,
  { owner_id, id: webhook_id }: { readonly owner_id: string; readonly id: string },
  { keyId: id, secret, secretKey: secret_key }: NewSigningKey["row"],
): Promise<void> {
  await db.insertInto("webhook_keys").values({ owner_id, id, webhook_id, secret, secret_key }).execute();
}
