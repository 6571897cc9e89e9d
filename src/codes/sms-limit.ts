import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { countInHour, uncountInHour } from "../database/hourly-limit.ts";
import { countLink, DAY_MS, type UnverifiedPhone, uncountLink } from "./recipient-limit.ts";

/**
 * The number of SMS in an hour that all users of an organization together request on pages. Each costs the operator
 * money, and strangers who can register could request any number of them, to numbers that pay them for it.
 */
export const MAX_SMS_PER_HOUR = 1_000;

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
  if (!isAllowed) return { of: "recipient", retryAfterMs: DAY_MS };
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
  return { key: `requested-sms:${orgId}`, max: MAX_SMS_PER_HOUR };
}
