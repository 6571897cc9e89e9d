import type { QueryCaller } from "../../call.ts";
import type { FindCodeParts, FoundCode } from "../../codes/find-code.ts";
import { insertCodes } from "../../codes/issue-code.ts";
import type { CodeKind } from "../../codes/kinds.ts";
import { maySend, nextSendAt } from "../../codes/replace-limits.ts";
import { retryWithCode } from "../../codes/retry-with-code.ts";
import { countSms, type SmsLimit, uncountSms } from "../../codes/sms-limit.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { appendEvents, eventsToJson } from "../../events/append-events.ts";
import { type Issued, issuedToJson, type Outbox, type OutboxValues, queueMessages } from "../../messages/outbox.ts";
import { changeUserRow } from "./change-user-row.ts";

type NewCodeOutcome =
  | { readonly kind: "sent" }
  /** The limits of `nextSendAt` are reached until this time. */
  | { readonly kind: "too-often"; readonly nextAt: Date }
  /** The SMS would exceed a limit that other users share. */
  | { readonly kind: "limited"; readonly limit: SmsLimit }
  /** There is nothing left to verify, the code is outdated, or no provider is configured. */
  | { readonly kind: "not-needed" };

/**
 * Sends a new code of the same kind as the given one to the user's current address or number. Replaces older codes of
 * that kind.
 *
 * @throws SignetError ABORTED if the user changes too often, or for a failure of the database.
 */
export async function requestNewCode(
  parts: FindCodeParts & { readonly outbox: Outbox },
  held: FoundCode,
  caller?: QueryCaller,
): Promise<NewCodeOutcome> {
  const { outbox, clock } = parts;
  return await retryWithCode<NewCodeOutcome>(parts, held, caller, async (code) => {
    const now = clock();
    const canSend = code.kind === "phone" ? outbox.sendsSms : outbox.sendsEmail;
    if (!isUnfinished(code) || !canSend) return { kind: "not-needed" };
    const nextAt = nextSendAt(code, now);
    if (nextAt !== undefined) return { kind: "too-often", nextAt };
    const { orgId } = code;
    const recipient = code.kind === "phone" ? { orgId, phone: code.user.phone ?? "" } : undefined;
    const limit = recipient && (await countSms(parts, recipient, caller));
    if (limit !== undefined) return { kind: "limited", limit };
    const user = { orgId, id: code.userId, sequence: code.user.sequence };
    if (await sendNewCode(parts, user, code.kind, issue(outbox, code), now)) return { kind: "sent" };
    if (recipient !== undefined) await uncountSms(parts, recipient);
    return undefined;
  });
}

/**
 * Issues a code to a user, who requests it.
 *
 * @param user As of when it was read.
 * @returns Whether it was sent: not if the user has changed since, or the limits are reached.
 */
export async function sendNewCode(
  { db, outbox }: { readonly db: Database; readonly outbox: Outbox },
  { orgId, id, sequence }: { readonly orgId: string; readonly id: string; readonly sequence: bigint },
  kind: CodeKind,
  issued: Issued,
  now: Date,
): Promise<boolean> {
  const user = { ownerId: orgId, aggregateId: id, editorId: id };
  const rows = { events: eventsToJson([issued.code.event]), ...issuedToJson([issued]) };
  const [row] = await insertNewCode(db, { ...user, kind, sequence, now, ...rows });
  if (row !== undefined) outbox.announce([issued]);
  return row !== undefined;
}

/**
 * Whether the address or number is still unverified, or the password not set, and the holder of the code may do this.
 */
export function isUnfinished({ kind, state, user }: FoundCode): boolean {
  if (state === "outdated" || state === "blocked") return false;
  if (kind === "phone") return user.phone !== null && !user.phoneVerified;
  if (kind === "email") return !user.emailVerified;
  return !user.emailVerified || !(user.hasPassword || user.hasOtherSignIn);
}

function issue(outbox: Outbox, { kind, user }: FoundCode): Issued {
  if (kind === "phone") return outbox.phoneVerification(user.phone ?? "");
  return kind === "email" ? outbox.emailVerification(user.email) : outbox.initialization(user.email);
}

interface NewCodeValues extends OutboxValues {
  kind: CodeKind;
  sequence: bigint;
}

/**
 * Writes the code, the event and the message. Returns no row if the user has changed since the code was found, or if
 * the limits are reached. The count is exact, because every new code changes the user: concurrent requests wait for the
 * user's row, and all but the first find a different sequence.
 */
const insertNewCode = prepareStatement<NewCodeValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param)
        .where("sequence", "=", param("sequence", "bigint"))
        .where(maySend(param("kind", "text"), param("now", "timestamptz"))),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .with("coded", () => insertCodes(param, "changed"))
    .with("queued", () => queueMessages(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
