import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { CodeKind } from "../codes/kinds.ts";
import { countLink, uncountLink } from "../codes/recipient-limit.ts";
import { nextSendAt, sentTimesOfUser } from "../codes/replace-limits.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { eventsToJson } from "../events/append-events.ts";
import { issuedToJson, type Outbox } from "../messages/outbox.ts";
import { insertNewCode } from "../users/change/request-new-code.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

/** `limited`: `countLink` does not allow another link to the address. */
export type AddressLinkOutcome = "sent" | "limited" | "not-sent";

/**
 * Sends a user the link that verifies the address: the initialization email if the user has not completed the
 * initialization. Sends nothing if the limits of `nextSendAt` are reached, if `countLink` does not allow another link to
 * the address, or if the user has changed since it was read, because a link has then already been sent.
 *
 * @throws SignetError for a failure of the database.
 */
export async function sendAddressLink(
  { db, outbox, clock }: { readonly db: Database; readonly outbox: Outbox; readonly clock: Clock },
  { orgId, id, sequence, email, initialized }: SignInUser,
): Promise<AddressLinkOutcome> {
  const now = clock();
  if (!(await countLink(db, { orgId, email }, now))) return "limited";
  const issued = [initialized ? outbox.emailVerification(email) : outbox.initialization(email)];
  const [row] = await insertNewCode(db, {
    ownerId: orgId,
    aggregateId: id,
    editorId: id,
    kind: initialized ? "email" : "initialization",
    sequence,
    now,
    events: eventsToJson(issued.map(({ code: { event } }) => event)),
    ...issuedToJson(issued),
  });
  if (row === undefined) {
    await uncountLink(db, { orgId, email });
    return "not-sent";
  }
  outbox.announce(issued);
  return "sent";
}

/**
 * When `sendAddressLink` can send the user the next link; undefined if immediately.
 *
 * @throws SignetError for a failure of the database.
 */
export async function nextAddressLinkAt(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { orgId, id: userId, initialized }: SignInUser,
  caller: QueryCaller,
): Promise<Date | undefined> {
  const now = clock();
  const kind = initialized ? "email" : "initialization";
  const [user] = await selectSentTimes(db, { orgId, userId, kind, now }, caller);
  return nextSendAt({ kind, sentAt: user?.sentAt ?? [] }, now);
}

interface SentTimesValues {
  readonly orgId: string;
  readonly userId: string;
  readonly kind: CodeKind;
  readonly now: Date;
}

const selectSentTimes = prepareStatement<SentTimesValues, { sentAt: Date[] }>((db, param) =>
  db
    .selectFrom("users")
    .select(sentTimesOfUser(param("kind", "text"), param("now", "timestamptz")).as("sentAt"))
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("userId", "uuid")),
);
