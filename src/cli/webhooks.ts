import { sql } from "kysely";
import { type Config, ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import { withDatabase } from "../server/open-database.ts";
import { type DeliveryRow, type DeliveryState, deliveryColumns } from "../webhooks/list-deliveries.ts";
import { retryDelivery } from "../webhooks/retry-delivery.ts";
import { WEBHOOK_COLUMNS, type WebhookRow } from "../webhooks/webhook-row.ts";
import { ofOperator } from "./of-operator.ts";
import { printDeliveries, printRetried, printWebhooks } from "./print-webhooks.ts";

/** `signet webhooks list`. Without `org`, those of all organizations. */
export async function listWebhooksCommand(
  config: Config,
  { org, json }: { readonly org?: string; readonly json: boolean },
): Promise<void> {
  await withDatabase(config, async (db) => {
    const ownerId = org && (await findOrg(db, org)).id;
    const found = await selectWebhooks(db)
      .where(ownerId === undefined ? sql<boolean>`true` : sql<boolean>`webhooks.owner_id = ${ownerId}::uuid`)
      .orderBy("webhooks.created_at")
      .orderBy("webhooks.id")
      .execute();
    const webhooks = found.map((row) => ({
      id: row.id,
      name: row.name,
      state: row.state,
      orgId: row.ownerId,
      url: row.url,
      eventTypes: row.eventTypes,
      includesPayload: row.includesPayload,
      createdAt: row.created_at,
    }));
    printWebhooks(json, webhooks);
  });
}

interface ListDeliveriesOptions {
  readonly id: string;
  readonly state?: DeliveryState;
  readonly limit: number;
  readonly json: boolean;
}

/** `signet webhooks deliveries`: the latest ones, in the order of the events. */
export async function listDeliveriesCommand(
  config: Config,
  { id, state, limit, json }: ListDeliveriesOptions,
): Promise<void> {
  await withDatabase(config, async (db) => {
    const { ownerId } = await findWebhook(db, id);
    const columns = deliveryColumns(new Date());
    const latest = await db
      .selectFrom("webhook_deliveries")
      .select(Object.entries(columns).map(([name, column]) => sql`${column}`.as(name)))
      .where("owner_id", "=", ownerId)
      .where("webhook_id", "=", id)
      .where(state === undefined ? sql<boolean>`true` : sql<boolean>`${columns.state} = ${state}`)
      .orderBy("position", "desc")
      .limit(limit)
      .$castTo<DeliveryRow>()
      .execute();
    const deliveries = latest.reverse().map(({ position, ...row }) => ({ ...row, position: String(position) }));
    printDeliveries(json, deliveries);
  });
}

/** `signet webhooks retry`. A running server sends the delivery within a second. */
export async function retryDeliveryCommand(
  config: Config,
  { id, deliveryId, json }: { readonly id: string; readonly deliveryId: string; readonly json: boolean },
): Promise<void> {
  await withDatabase(config, async (db) => {
    const { ownerId } = await findWebhook(db, id);
    await retryDelivery({ db, clock: () => new Date() }, { id, deliveryId }, ofOperator(ownerId));
    printRetried(json, id, deliveryId);
  });
}

/** @throws ConfigError if there is no such webhook. */
async function findWebhook(db: Database, id: string): Promise<WebhookRow> {
  const found = isId(id) ? await selectWebhooks(db).where("webhooks.id", "=", id).executeTakeFirst() : undefined;
  if (found === undefined) throw new ConfigError(`no webhook has the id "${id}"`);
  return found;
}

function selectWebhooks(db: Database) {
  return db
    .selectFrom("webhooks")
    .select(Object.entries(WEBHOOK_COLUMNS).map(([name, column]) => sql`${column}`.as(name)))
    .$castTo<WebhookRow>();
}
