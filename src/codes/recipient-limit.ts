import { domainToASCII } from "node:url";
import { sql } from "kysely";
import { hashSecretToHex } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { uncount } from "../database/hourly-limit.ts";
import { prepareStatement } from "../database/prepare.ts";

/** The number of links in 24 hours that sign-ins send to one address, for all users of the organization together. */
export const MAX_LINKS_PER_DAY = 10;
/** The number of emails in 24 hours to one address that somebody wants to register. */
export const MAX_REGISTRATIONS_PER_DAY = 5;
/** The number of messages in 24 hours that users request to one new address or number, all users together. */
export const MAX_REQUESTS_PER_DAY = 10;
/** The time in which links are counted. */
export const DAY_MS = 24 * 3_600_000;

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

const MAX_PER_DAY = {
  link: MAX_LINKS_PER_DAY,
  registration: MAX_REGISTRATIONS_PER_DAY,
  "email-change": MAX_REQUESTS_PER_DAY,
  phone: MAX_REQUESTS_PER_DAY,
} as const;

/**
 * Counts a link to a recipient before it is sent, so that concurrent links cannot exceed the limit.
 *
 * @returns Whether it may be sent.
 * @throws SignetError for a failure of the database.
 */
export async function countLink(db: Database, recipient: Recipient, now: Date): Promise<boolean> {
  const time = BigInt(now.getTime());
  const counted = await increment(db, {
    key: toKey(recipient),
    most: BigInt(MAX_PER_DAY[toUse(recipient)]),
    now: time,
    expire: time + BigInt(DAY_MS),
  });
  return counted.length > 0;
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

function toUse(recipient: Recipient): keyof typeof MAX_PER_DAY {
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

interface IncrementValues {
  key: string;
  most: bigint;
  now: bigint;
  expire: bigint;
}

/** Returns no row if the limit is reached. Rows are deleted with the table's other expired rows. */
const increment = prepareStatement<IncrementValues, { points: number }>((db, param) => {
  const isOver = sql<boolean>`rate_limits.expire <= ${param("now", "bigint")}`;
  return db
    .insertInto("rate_limits")
    .values({ key: param("key", "text"), points: 1, expire: param("expire", "bigint") })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({
          points: sql<number>`case when ${isOver} then 1 else rate_limits.points + 1 end`,
          expire: sql<bigint>`case when ${isOver} then excluded.expire else rate_limits.expire end`,
        })
        .where(sql<boolean>`${isOver} or rate_limits.points < ${param("most", "bigint")}`),
    )
    .returning("points");
});
