import type { Keyring } from "../crypto/keyring.ts";
import { toAggregateType } from "../events/aggregate-types.ts";
import { OutboundError, type OutboundFetch } from "../outbound/outbound-fetch.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import { openSigningKey, signDelivery } from "./signing-key.ts";

/** The time limit for the whole response. */
export const SEND_LIMIT_MS = 15_000;
/** The maximum size of the response. Only the beginning is stored, with the reason of a failure. */
export const MAX_RESPONSE_BYTES = 65_536;

export interface SendDeliveryParts {
  readonly keyring: Keyring;
  /** Reaches public addresses only, unless the operator allows others. Its time limit is `SEND_LIMIT_MS`. */
  readonly send: OutboundFetch;
}

/** An event to be sent, with the keys that sign it. */
type SentEvent = Omit<ClaimedDelivery, "webhook_id" | "attempts"> & {
  /** Whether the event is only a test, which its body says. */
  readonly isTest?: boolean;
};

/** A signed request to a webhook. */
export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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
  const { error, response } = await sendRequest(send, createDeliveryRequest(keyring, delivery, now));
  const said =
    response?.body
      .replaceAll(/[\s\0]+/g, " ")
      .trim()
      .slice(0, SHOWN_BODY)
      .toWellFormed() ?? "";
  return error === undefined || said === "" ? error : `${error}: ${said}`;
}

/** The part of the body of the response that the reason of a failure has, in characters. */
const SHOWN_BODY = 200;

/** @throws Error if a signing key cannot be decrypted. */
export function createDeliveryRequest(keyring: Keyring, event: SentEvent, now: Date): DeliveryRequest {
  const body = JSON.stringify(toBody(event));
  const headers = {
    "content-type": "application/json",
    "user-agent": "signet",
    ...signDelivery(openKeys(keyring, event), event.id, now, body),
  };
  return { url: event.url, headers, body };
}

interface SentRequest {
  /** Undefined if there is no usable response. */
  readonly response?: { readonly status: number; readonly body: string };
  /** Undefined if the response has a 2xx status. */
  readonly error: string | undefined;
}

export async function sendRequest(send: OutboundFetch, { url, headers, body }: DeliveryRequest): Promise<SentRequest> {
  try {
    const response = await send(url, { method: "POST", headers, body });
    const { ok, status } = response;
    const error = ok ? undefined : `the response has the status ${status}`;
    return { response: { status, body: await response.text() }, error };
  } catch (error) {
    if (error instanceof OutboundError) return { error: error.message };
    throw error;
  }
}

/** The current signing key, and the previous one while it is still used. */
function openKeys(keyring: Keyring, event: SentEvent): string[] {
  const { key_id: id, secret, secret_key: secretKey } = event;
  const { previous_id, previous_secret, previous_secret_key } = event;
  const current = openSigningKey(keyring, { id, secret, secretKey });
  if (previous_id === null || previous_secret === null || previous_secret_key === null) return [current];
  const previous = { id: previous_id, secret: previous_secret, secretKey: previous_secret_key };
  return [current, openSigningKey(keyring, previous)];
}

/** The body of a delivery (docs/webhooks.md). A position is a string, as in all JSON of the API. */
function toBody(event: SentEvent) {
  const { event_type: type, event_created_at: at, owner_id, aggregate_id, position, editor_id, payload } = event;
  return {
    type,
    timestamp: at.toISOString(),
    ...(event.isTest && { test: true }),
    data: {
      sequence: String(position),
      aggregate: { id: aggregate_id, type: toAggregateType(type), resourceOwner: owner_id },
      ...(editor_id !== null && { editor: { userId: editor_id } }),
      ...(payload !== null && { payload }),
    },
  };
}
