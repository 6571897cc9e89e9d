import { sql } from "kysely";
import type { ObjectRow } from "../events/object-details.ts";

/** The columns of a webhook in responses. */
export interface WebhookRow extends ObjectRow {
  readonly ownerId: string;
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Empty for all types. */
  readonly eventTypes: string[];
  readonly includesPayload: boolean;
  readonly state: "active" | "inactive";
}

/** The columns of `WebhookRow`. */
export const WEBHOOK_COLUMNS = {
  ownerId: sql.ref<string>("webhooks.owner_id"),
  id: sql.ref<string>("webhooks.id"),
  name: sql.ref<string>("webhooks.name"),
  url: sql.ref<string>("webhooks.url"),
  eventTypes: sql.ref<string[]>("webhooks.event_types"),
  includesPayload: sql.ref<boolean>("webhooks.includes_payload"),
  state: sql.ref<WebhookRow["state"]>("webhooks.state"),
  sequence: sql.ref<bigint>("webhooks.sequence"),
  created_at: sql.ref<Date>("webhooks.created_at"),
  changed_at: sql.ref<Date>("webhooks.changed_at"),
};
