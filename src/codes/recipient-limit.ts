import { domainToASCII } from "node:url";
import { hashSecretToHex } from "../crypto/secrets.ts";
import { countInPeriod, uncount } from "../database/counters.ts";
import type { Database } from "../database/database.ts";
import { LIMITS, periodMsOf } from "../limits.ts";

/** An address or a number that has not been verified: the user who has entered it may not be its owner. */
type Recipient = UnverifiedEmail | UnverifiedPhone;

interface UnverifiedEmail {
  readonly orgId: string;
  readonly email: string;
  /** Each use has its own count, so that a stranger cannot use up the links of a user. By default, a user's sign-in. */
  readonly use?: "registration" | "email-change";
}

export interface UnverifiedPhone {
  readonly orgId: string;
  /** E.164. */
  readonly phone: string;
}

const USES = {
  link: LIMITS.signInLinks,
  registration: LIMITS.registrations,
  "email-change": LIMITS.requestedMessages,
  phone: LIMITS.requestedMessages,
} as const;

/**
 * Counts a link to a recipient before it is sent, so that concurrent links cannot exceed the limit.
 *
 * @returns Whether it may be sent.
 * @throws SignetError for a failure of the database.
 */
export async function countLink(db: Database, recipient: Recipient, now: Date): Promise<boolean> {
  const limit = USES[toUse(recipient)];
  const counter = { key: toKey(recipient), most: limit.most, periodMs: periodMsOf(limit) };
  return (await countInPeriod(db, counter, now.getTime())) !== undefined;
}

/** Uncounts a link that was not sent. */
export async function uncountLink(db: Database, recipient: Recipient): Promise<void> {
  await uncount(db, { key: toKey(recipient) });
}

/** Without the organization, users of one organization could use up the links of another. */
function toKey(recipient: Recipient): string {
  const to = "phone" in recipient ? recipient.phone : toMailbox(recipient.email);
  return `${toUse(recipient)}:${hashSecretToHex(`${recipient.orgId} ${to}`)}`;
}

function toUse(recipient: Recipient): keyof typeof USES {
  return "phone" in recipient ? "phone" : (recipient.use ?? "link");
}

/**
 * The form in which addresses count together that many mail providers deliver to the same mailbox: in lowercase, without
 * dots and a suffix after `+` before the `@`, and with an ASCII domain.
 */
function toMailbox(email: string): string {
  const at = email.lastIndexOf("@");
  const [mailbox = ""] = email.slice(0, at).toLowerCase().split("+");
  // An address that starts with `+` is kept as it is.
  const name = mailbox.replaceAll(".", "") || email.slice(0, at).toLowerCase();
  return `${name}@${domainToASCII(email.slice(at + 1))}`;
}
