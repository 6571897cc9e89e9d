import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createId, isId, NIL_ID } from "../crypto/secrets.ts";
import { countInHour } from "../database/counters.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { type Problems, SignetError } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { createOutboundFetch } from "../outbound/outbound-fetch.ts";
import { webhookNotFound } from "./change-webhook.ts";
import { WEBHOOK_EVENT_TYPES } from "./check-webhook.ts";
import type { WebhookTarget } from "./claim-deliveries.ts";
import { SAMPLE_PAYLOADS } from "./sample-payloads.ts";
import {
  createDeliveryRequest,
  type DeliveryRequest,
  MAX_RESPONSE_BYTES,
  SEND_LIMIT_MS,
  sendRequest,
} from "./send-delivery.ts";

/** A checked CheckWebhookRequest. */
interface TestEvent {
  readonly id: string;
  readonly eventType: string;
}

export interface CheckWebhookParts {
  readonly config: Pick<Config, "idpAllowPrivateNetworks" | "requestTimeoutMs">;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** A test event that was sent, and the response. */
export interface WebhookCheck {
  readonly request: DeliveryRequest;
  /** Undefined if there is no usable response. */
  readonly response: { readonly status: number; readonly body: string } | undefined;
  /** Why the attempt failed. */
  readonly error: string | undefined;
  readonly durationMs: number;
}

/** The part of the body of the response that is returned, in characters. */
const SHOWN_BODY = 4_096;

/** Checks the rules of CheckWebhookRequest that the schema cannot express. */
export function checkTestEvent<Request extends TestEvent>(request: Request, problems: Problems): Request {
  if (!WEBHOOK_EVENT_TYPES.includes(request.eventType)) {
    problems.add("eventType", "must be the type of an event of an organization, such as user.human.added");
  }
  return request;
}

/**
 * Sends a test event to a webhook, and waits for the response (docs/reference/webhooks.md). It is not a delivery: it has no
 * retries, and no other webhook gets it.
 *
 * @throws SignetError WEBHOOK_NOT_FOUND, TOO_MANY_WEBHOOK_CHECKS, or for a failure of the database.
 */
export async function checkStoredWebhook(
  parts: CheckWebhookParts,
  { id, eventType }: TestEvent,
  call: Call,
): Promise<WebhookCheck> {
  const { config, keyring, db, clock } = parts;
  const now = clock();
  const [webhook] = isId(id) ? await selectWebhook(db, { ownerId: call.orgId, id, now }, call) : [];
  if (webhook === undefined) throw webhookNotFound(id);
  const limit = { key: `webhook-checks:${call.orgId}`, limit: LIMITS.webhookChecks };
  const retryAfterMs = call.kind === "operator" ? undefined : await countInHour(parts, limit, call);
  if (retryAfterMs !== undefined) throw tooManyChecks(retryAfterMs);
  const payloads: Readonly<Record<string, object>> = SAMPLE_PAYLOADS;
  const event = {
    ...{ ...webhook, id: createId(), owner_id: call.orgId, event_type: eventType, event_created_at: now },
    ...{ aggregate_id: NIL_ID, position: 0n, editor_id: call.userId, isTest: true },
    payload: webhook.includes_payload ? (payloads[eventType] ?? {}) : null,
  };
  const request = createDeliveryRequest(keyring, event, now);
  const startedAt = performance.now();
  const send = createOutboundFetch({
    allowsPrivate: config.idpAllowPrivateNetworks,
    // The caller gets the response before its own time is over.
    timeoutMs: Math.min(SEND_LIMIT_MS, config.requestTimeoutMs - 1_000),
    maxBodyBytes: MAX_RESPONSE_BYTES,
  });
  const { response, error } = await sendRequest(send, request);
  call.throwIfOver();
  return {
    request,
    response: response && { status: response.status, body: response.body.slice(0, SHOWN_BODY).toWellFormed() },
    error,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

interface StoredWebhook extends WebhookTarget {
  readonly includes_payload: boolean;
}

const selectWebhook = prepareStatement<{ ownerId: string; id: string; now: Date }, StoredWebhook>((db, param) =>
  db
    .selectFrom("webhooks")
    .innerJoin("webhook_keys as current", (join) =>
      join.onRef("current.owner_id", "=", "webhooks.owner_id").onRef("current.id", "=", "webhooks.key_id"),
    )
    .leftJoin("webhook_keys as previous", (join) =>
      join
        .onRef("previous.owner_id", "=", "webhooks.owner_id")
        .onRef("previous.id", "=", "webhooks.previous_key_id")
        .on(sql<boolean>`webhooks.previous_key_until > ${param("now", "timestamptz")}`),
    )
    .select(["webhooks.url", "webhooks.includes_payload", "webhooks.key_id", "current.secret", "current.secret_key"])
    .select(["previous.id as previous_id", "previous.secret as previous_secret"])
    .select("previous.secret_key as previous_secret_key")
    .where("webhooks.owner_id", "=", param("ownerId", "uuid"))
    .where("webhooks.id", "=", param("id", "uuid")),
);

function tooManyChecks(retryAfterMs: number): SignetError {
  const message = `the webhooks of an organization can be checked ${LIMITS.webhookChecks.most} times per hour`;
  return new SignetError("TOO_MANY_WEBHOOK_CHECKS", message, { retryAfterMs });
}
