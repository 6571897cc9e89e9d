import type { QueryCaller } from "../call.ts";
import type { CodeKind } from "../codes/kinds.ts";
import { countLink, uncountLink } from "../codes/recipient-limit.ts";
import { nextSendAt, sentTimesOfUser } from "../codes/replace-limits.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { ChangeParts } from "../events/change-object.ts";
import type { Outbox } from "../messages/outbox.ts";
import { sendNewCode } from "../users/change/request-new-code.ts";
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
  parts: ChangeParts & { readonly outbox: Outbox },
  user: SignInUser,
): Promise<AddressLinkOutcome> {
  const { db, outbox, clock } = parts;
  const { orgId, email, initialized } = user;
  const now = clock();
  if (!(await countLink(db, { orgId, email }, now))) return "limited";
  const issued = initialized ? outbox.emailVerification(email) : outbox.initialization(email);
  if (await sendNewCode(parts, user, kindFor(user), issued, now)) return "sent";
  await uncountLink(db, { orgId, email });
  return "not-sent";
}

function kindFor({ initialized }: SignInUser): CodeKind {
  return initialized ? "email" : "initialization";
}

/**
 * When `sendAddressLink` can send the user the next link; undefined if immediately.
 *
 * @throws SignetError for a failure of the database.
 */
export async function nextAddressLinkAt(
  { db, clock }: ChangeParts,
  user: SignInUser,
  caller: QueryCaller,
): Promise<Date | undefined> {
  const [now, kind] = [clock(), kindFor(user)];
  const [found] = await selectSentTimes(db, { orgId: user.orgId, userId: user.id, kind, now }, caller);
  return nextSendAt({ kind, sentAt: found?.sentAt ?? [] }, now);
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
