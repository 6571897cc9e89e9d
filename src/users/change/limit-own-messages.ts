import type { QueryCaller } from "../../call.ts";
import { countLink, type UnverifiedPhone, uncountLink } from "../../codes/recipient-limit.ts";
import { countSms, type SmsLimit, uncountSms } from "../../codes/sms-limit.ts";
import type { Database } from "../../database/database.ts";
import { SignetError } from "../../errors.ts";
import { LIMITS, periodMsOf } from "../../limits.ts";
import type { ChangeUserParts } from "./change-user.ts";

/** The dependencies of a change for which a user requests a message to an address or a number that may be anybody's. */
export interface OwnMessageParts extends ChangeUserParts {
  readonly db: Database;
}

/**
 * Runs a change that sends an SMS, unless it would exceed a limit of `countSms`.
 *
 * @throws SignetError TOO_MANY_MESSAGES, with `field` in the metadata if the limit is that of the number; or an error of
 *   the change.
 */
export async function limitOwnSms<Result>(
  parts: OwnMessageParts,
  recipient: UnverifiedPhone,
  change: () => Promise<Result>,
  caller: QueryCaller,
): Promise<Result> {
  const limit = await countSms(parts, recipient, caller);
  if (limit !== undefined) throw tooManySms(limit);
  return await uncountIfRefused(change, () => uncountSms(parts, recipient));
}

/**
 * Runs a change that sends an email to a new address, unless `countLink` does not allow another one.
 *
 * @throws SignetError TOO_MANY_MESSAGES with `field` in the metadata, or an error of the change.
 */
export async function limitOwnEmail<Result>(
  { db, clock }: OwnMessageParts,
  { orgId, email }: { readonly orgId: string; readonly email: string },
  change: () => Promise<Result>,
): Promise<Result> {
  const recipient = { orgId, email, use: "email-change" } as const;
  if (!(await countLink(db, recipient, clock()))) throw tooManyTo("email", periodMsOf(LIMITS.requestedMessages));
  return await uncountIfRefused(change, () => uncountLink(db, recipient));
}

/** After any other error, the message may have been sent. */
async function uncountIfRefused<Result>(change: () => Promise<Result>, uncount: () => Promise<void>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof SignetError && error.reason === "TOO_MANY_MESSAGES") await uncount();
    throw error;
  }
}

function tooManySms({ of, retryAfterMs }: SmsLimit): SignetError {
  if (of === "recipient") return tooManyTo("phone", retryAfterMs);
  const message = `the users of an organization can request ${LIMITS.requestedSms.most} SMS per hour`;
  return new SignetError("TOO_MANY_MESSAGES", message, { retryAfterMs });
}

function tooManyTo(field: "email" | "phone", retryAfterMs: number): SignetError {
  const message = `${field}: users can request ${LIMITS.requestedMessages.most} messages to it in 24 hours`;
  return new SignetError("TOO_MANY_MESSAGES", message, { retryAfterMs, metadata: { field } });
}
