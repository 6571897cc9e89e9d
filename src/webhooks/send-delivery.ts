import type { Keyring } from "../crypto/keyring.ts";
import { toAggregateType } from "../events/aggregate-types.ts";
import { OutboundError, type OutboundFetch } from "../outbound/outbound-fetch.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import { openSigningKey, signDelivery } from "./signing-key.ts";

/** The time limit for the whole response. */
export const SEND_LIMIT_MS = 15_000;
/** The maximum size of the response. It is not stored. */
export const MAX_RESPONSE_BYTES = 65_536;

export interface SendDeliveryParts {
  readonly keyring: Keyring;
  /** Reaches public addresses only, unless the operator allows others. Its time limit is `SEND_LIMIT_MS`. */
  readonly send: OutboundFetch;
}

/**
 * Sends an event to a webhook, as Standard Webhooks 1.0 says.
 *
 * @returns Why it failed; undefined if the response has a 2xx status. Redirects are not followed.
 * @throws Error if a signing key cannot be decrypted.
 */
export async function sendDelivery(
  { keyring, send }: SendDeliveryParts,
  delivery: ClaimedDelivery,
  now: Date,
): Promise<string | undefined> {
  const body = JSON.stringify(toBody(delivery));
  const headers = {
    "content-type": "application/json",
    "user-agent": "signet",
    ...signDelivery(openKeys(keyring, delivery), delivery.id, now, body),
  };
  try {
    const { ok, status } = await send(delivery.url, { method: "POST", headers, body });
    return ok ? undefined : `the response has the status ${status}`;
  } catch (error) {
    if (error instanceof OutboundError) return error.message;
    throw error;
  }
}

/** The current signing key, and the previous one while it is still used. */
function openKeys(keyring: Keyring, delivery: ClaimedDelivery): string[] {
  const { key_id: id, secret, secret_key: secretKey } = delivery;
  const { previous_id, previous_secret, previous_secret_key } = delivery;
  const current = openSigningKey(keyring, { id, secret, secretKey });
  if (previous_id === null || previous_secret === null || previous_secret_key === null) return [current];
  const previous = { id: previous_id, secret: previous_secret, secretKey: previous_secret_key };
  return [current, openSigningKey(keyring, previous)];
}

/** The body of a delivery (docs/webhooks.md). A position is a string, as in all JSON of the API. */
function toBody(delivery: ClaimedDelivery) {
  const { event_type: type, event_created_at: at, owner_id, aggregate_id, position, editor_id, payload } = delivery;
  return {
    type,
    timestamp: at.toISOString(),
    data: {
      sequence: String(position),
      aggregate: { id: aggregate_id, type: toAggregateType(type), resourceOwner: owner_id },
      ...(editor_id !== null && { editor: { userId: editor_id } }),
      ...(payload !== null && { payload }),
    },
  };
}
