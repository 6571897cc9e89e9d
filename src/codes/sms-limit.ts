import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { countInHour, uncountInHour } from "../database/counters.ts";
import type { Database } from "../database/database.ts";
import { LIMITS, periodMsOf } from "../limits.ts";
import { countLink, type UnverifiedPhone, uncountLink } from "./recipient-limit.ts";

interface LimitParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** The limit that an SMS would exceed. */
export interface SmsLimit {
  readonly of: "recipient" | "organization";
  /** The milliseconds after which an SMS is allowed, at most. */
  readonly retryAfterMs: number;
}

/**
 * Counts an SMS that a user requests on a page, before it is sent. The SMS of calls do not count: their callers are
 * trusted.
 *
 * @returns Undefined if it may be sent.
 * @throws SignetError for a failure of the database.
 */
export async function countSms(
  parts: LimitParts,
  recipient: UnverifiedPhone,
  caller?: QueryCaller,
): Promise<SmsLimit | undefined> {
  const isAllowed = await countLink(parts.db, recipient, parts.clock());
  if (!isAllowed) return { of: "recipient", retryAfterMs: periodMsOf(LIMITS.requestedMessages) };
  const retryAfterMs = await countInHour(parts, ofOrg(recipient), caller);
  if (retryAfterMs === undefined) return undefined;
  await uncountLink(parts.db, recipient);
  return { of: "organization", retryAfterMs };
}

/** Uncounts an SMS that was not sent. */
export async function uncountSms(parts: LimitParts, recipient: UnverifiedPhone): Promise<void> {
  await uncountLink(parts.db, recipient);
  await uncountInHour(parts, ofOrg(recipient));
}

function ofOrg({ orgId }: UnverifiedPhone) {
  return { key: `requested-sms:${orgId}`, limit: LIMITS.requestedSms };
}
