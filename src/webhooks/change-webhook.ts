import { sql } from "kysely";
import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { SignetError } from "../errors.ts";
import { eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import { type Change, type ChangeStatement, prepareChange } from "../events/prepare-change.ts";

/** The dependencies of a change of a webhook. */
export interface ChangeWebhookParts {
  readonly db: Database;
  readonly clock: Clock;
}

export type WebhookCall = Call<Principal | Operator>;

type WebhookRefusal = "WEBHOOK_STATE";

/** Prepares a command that changes one webhook; see `prepareChange`. */
export function prepareWebhookChange<Values extends object = object>(
  change: Change<"webhooks", Values, WebhookRefusal>,
) {
  return prepareChange<Values, WebhookRefusal, "webhooks">("webhooks", change);
}

/**
 * Runs a command prepared by `prepareWebhookChange`.
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, WEBHOOK_STATE, or for a failure of the database.
 */
export async function changeWebhook<Values extends object>(
  { db, clock }: ChangeWebhookParts,
  statement: ChangeStatement<Values, WebhookRefusal>,
  { id, event, ...values }: { readonly id: string; readonly event: NewEvent } & Values,
  call: WebhookCall,
): Promise<Changed> {
  const common = toEventValues({ id, event, now: clock() }, call);
  const [webhook] = isId(id) ? await statement(db, { ...(values as unknown as Values), ...common }, call) : [];
  if (webhook === undefined) throw webhookNotFound(id);
  if (webhook.refusal !== null) throw webhookState(webhook.state);
  return toChanged(webhook, call.orgId);
}

/** The values that append one event to a webhook. */
export function toEventValues({ id, event, now }: { id: string; event: NewEvent; now: Date }, call: WebhookCall) {
  return { ownerId: call.orgId, aggregateId: id, editorId: call.userId, now, events: eventsToJson([event]) };
}

/**
 * The position from which on a new or reactivated webhook gets the events: those that are recorded later, including the
 * event of this change.
 */
export const LAST_POSITION = sql<bigint>`coalesce((select max(events.position) from events), 0)`;

export function webhookNotFound(id: string): SignetError {
  const message = "id: no webhook of the organization has this id";
  return new SignetError("WEBHOOK_NOT_FOUND", message, { metadata: { webhookId: id } });
}

function webhookState(state: "active" | "inactive"): SignetError {
  const name = state === "active" ? "WEBHOOK_STATE_ACTIVE" : "WEBHOOK_STATE_INACTIVE";
  return new SignetError("WEBHOOK_STATE", `the webhook is already in the state ${name}`, { metadata: { state: name } });
}
