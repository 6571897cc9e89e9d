import { sql } from "kysely";
import type { Self } from "../../actor.ts";
import type { Call, QueryCaller } from "../../call.ts";
import { countLink, type UnverifiedPhone, uncountLink } from "../../codes/recipient-limit.ts";
import { countSms, type SmsLimit, uncountSms } from "../../codes/sms-limit.ts";
import type { Database } from "../../database/database.ts";
import { SignetError } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import { LIMITS, periodMsOf } from "../../limits.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";
import { requireChannel } from "./require-channel.ts";

/**
 * Sends users a link to the address that they want to use from now on. The current address stays until the link is
 * used (`confirmEmailChange`): a mistyped one would otherwise lock them out. Replaces earlier links. Limited for the user,
 * and for the address, which may be anybody's.
 *
 * @param change `email`: as accepted by `describeEmailProblem`.
 * @throws SignetError USER_NOT_FOUND, MAIL_SERVER_MISSING, USER_STATE, TOO_MANY_MESSAGES, ABORTED, or for a failure of
 *   the database.
 */
export async function requestEmailChange(
  parts: OwnMessageParts,
  { userId, email }: { readonly userId: string; readonly email: string },
  call: Call<Self>,
): Promise<Changed> {
  requireChannel(parts.outbox, "email");
  const plans = [toPlan([], parts.outbox.emailChange(email))];
  const request = () => changeUser(parts, REQUEST_CHANGE, { userId, plans }, call);
  return await limitOwnEmail(parts, { orgId: call.orgId, email }, request);
}

const REQUEST_CHANGE = prepareUserChange({
  name: "request_email_change",
  kind: "human",
  refuse: sql`case when users.state <> 'active' then 'USER_STATE' end`,
  limitedKind: "email-change",
});

/**
 * Changes the phone number of a user who has entered it on a page, and sends an SMS to verify it if an SMS provider is
 * configured. Unlike `updateHumanPhone`, it limits the messages, because users may enter any number: those of the user,
 * and those of `countSms`.
 *
 * @param change `phone`: E.164. If it is already stored, nothing changes but for a new SMS if it is not verified.
 * @throws SignetError USER_NOT_FOUND, USER_STATE, TOO_MANY_MESSAGES, ABORTED, or for a failure of the database.
 */
export async function changeOwnPhone(
  parts: OwnMessageParts,
  { userId, phone }: { readonly userId: string; readonly phone: string },
  call: Call<Self>,
): Promise<Changed> {
  const { outbox } = parts;
  const changed = { type: "user.human.phone.changed", payload: { phone } } as const;
  const plans = [toPlan([changed], ...(outbox.sendsSms ? [outbox.phoneVerification(phone)] : []))];
  const change = () => changeUser(parts, CHANGE_PHONE, { userId, phone, plans }, call);
  return outbox.sendsSms ? await limitOwnSms(parts, { orgId: call.orgId, phone }, change, call) : await change();
}

const CHANGE_PHONE = prepareUserChange<{ phone: string }>({
  name: "change_own_phone",
  kind: "human",
  columns: { phone: "text" },
  refuse: sql`case when users.state <> 'active' then 'USER_STATE' end`,
  limitedKind: "phone",
  notice: "phone-changed",
  choose: (given) => sql`case
    when users.phone is not distinct from ${given("phone", "text")} and users.phone_verified then null
    else 0 end`,
  isStored: (given) => sql`(users.phone is not distinct from ${given("phone", "text")})`,
  set: (given) => ({ phone: given("phone", "text"), phone_verified: sql`false` }),
});

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
async function limitOwnEmail<Result>(
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
