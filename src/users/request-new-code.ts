import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { createFindCode, FoundCode } from "../codes/find-code.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import {
  type Issued,
  insertCodes,
  issuedToJson,
  type Outbox,
  type OutboxValues,
  queueMessages,
} from "../messages/outbox.ts";

/** How many codes of a kind a user gets in 24 hours, whoever asks for them; the limit concerns the page alone. */
const SENDS_A_DAY = 5;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

export type NewCodeOutcome =
  | { readonly kind: "sent" }
  /** Five in 24 hours, or one within the last minute; the next may be sent at this time. */
  | { readonly kind: "too-often"; readonly nextAt: Date }
  /** The user has what the code is for, the link is not the user's any more, or there is nothing to send it with. */
  | { readonly kind: "not-needed" };

/** Whether an initialization or a verification is still to be finished, and the holder of the code may finish it. */
export function isUnfinished({ kind, state, user }: FoundCode): boolean {
  if (state === "outdated") return false;
  if (kind === "phone") return user.phone !== null && !user.phoneVerified;
  return !user.emailVerified || !(user.hasPassword || user.hasOtherSignIn);
}

/** When the next code may be sent; undefined where it may be now. */
export function nextSendAt({ sentAt }: FoundCode, now: Date): Date | undefined {
  const [last, fifth] = [sentAt[0], sentAt[SENDS_A_DAY - 1]];
  const at = Math.max((last?.getTime() ?? 0) + MINUTE_MS, fifth === undefined ? 0 : fifth.getTime() + DAY_MS);
  return at > now.getTime() ? new Date(at) : undefined;
}

/**
 * Sends a new code of the kind of one that a user holds, to the address or number that the user has now. Older codes of
 * the kind are of no use any more.
 *
 * The function throws SignetError for a failure of the database, and ABORTED where the user changes all the time.
 */
export function createRequestNewCode({
  db,
  outbox,
  clock,
  findCode,
}: {
  db: Kysely<Tables>;
  outbox: Outbox;
  clock: Clock;
  findCode: ReturnType<typeof createFindCode>;
}) {
  const insertNewCode = prepareInsertNewCode(db);

  return async (held: FoundCode): Promise<NewCodeOutcome> => {
    let code: FoundCode | undefined = held;
    for (let attempt = 0; code !== undefined && attempt < 5; attempt++) {
      const now = clock();
      const nextAt = nextSendAt(code, now);
      if (!isUnfinished(code) || !(code.kind === "phone" ? outbox.sendsSms : outbox.sendsEmail)) {
        return { kind: "not-needed" };
      }
      if (nextAt !== undefined) return { kind: "too-often", nextAt };
      const issued = issue(outbox, code);
      const [row] = await insertNewCode({
        ownerId: code.orgId,
        orgId: code.orgId,
        aggregateId: code.userId,
        userId: code.userId,
        editorId: code.userId,
        kind: code.kind,
        sequence: code.user.sequence,
        now,
        events: eventsToJson([issued.event]),
        ...issuedToJson([issued]),
      });
      if (row !== undefined) {
        outbox.announce([issued]);
        return { kind: "sent" };
      }
      code = await findCode(code.kind, code.text);
    }
    throw new SignetError("ABORTED", "the user changed meanwhile; try again");
  };
}

function issue(outbox: Outbox, { kind, user }: FoundCode): Issued {
  return kind === "phone" ? outbox.phoneVerification(user.phone ?? "") : outbox.initialization(user.email);
}

interface NewCodeValues extends EventValues, OutboxValues {
  kind: string;
  sequence: bigint;
  now: Date;
}

/**
 * Writes the code, the event and the message; gives no row where the user has changed since the code was looked up, or
 * where there were too many. A code is never written without a change of the user, so that those who ask at the same
 * time wait for one another at the user's row, and all but the first find another sequence: the count is exact.
 */
function prepareInsertNewCode(db: Kysely<Tables>) {
  return prepareStatementOn<NewCodeValues, { sequence: bigint }>(db, (param) => {
    const now = param("now", "timestamptz");
    return db
      .with("changed", (query) =>
        query
          .updateTable("users")
          .set({
            sequence: sql`sequence + jsonb_array_length(${param("events", "jsonb")})`,
            changed_at: sql`greatest(changed_at, ${now})`,
          })
          .where("org_id", "=", param("orgId", "uuid"))
          .where("id", "=", param("userId", "uuid"))
          .where("sequence", "=", param("sequence", "bigint"))
          .where(
            sql<boolean>`(
              select count(*) < ${sql.lit(SENDS_A_DAY)} and coalesce(max(created_at) <= ${now} - interval '1 minute', true)
              from codes
              where codes.org_id = users.org_id and codes.user_id = users.id and codes.kind = ${param("kind", "text")}
                and codes.created_at > ${now} - interval '24 hours')`,
          )
          .returning(["sequence", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("coded", () => insertCodes(param, "changed"))
      .with("queued", () => queueMessages(param, "changed"))
      .selectFrom("changed")
      .select("sequence");
  });
}
