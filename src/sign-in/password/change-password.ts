import type { Caller } from "../../call.ts";
import { endCodes, endOwnLinks } from "../../codes/end-codes.ts";
import { hashSecret } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { SerializePerKey } from "../../database/serialize-per-key.ts";
import { changeTime } from "../../events/aggregate-columns.ts";
import { appendEvents } from "../../events/append-events.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { retryWhenChanged } from "../../events/retry-when-changed.ts";
import { type NoticeValues, queueNotices } from "../../messages/notices.ts";
import type { Outbox } from "../../messages/outbox.ts";
import type { Hasher } from "../../passwords/hasher.ts";
import { changeUserRow } from "../../users/change/change-user-row.ts";
import {
  type AnnounceEnds,
  type EndedSession,
  endedSessionsIn,
  endSessions,
  SESSIONS_ENDED,
} from "../../users/change/end-sessions.ts";
import { toOwnEvents } from "../append-to-user.ts";
import { findSignInUser, type SignInUser } from "../find-sign-in-user.ts";

interface ChangePasswordParts extends ChangeParts {
  readonly passwords: Hasher;
  readonly outbox: Outbox;
  /** Keyed by user: one password per user is hashed at a time. */
  readonly serializeHashing: SerializePerKey;
  readonly announceEnds?: AnnounceEnds | undefined;
}

/**
 * Sets the password that a user has chosen after proving the current one, and ends the user's other sessions and the
 * links to reset the password. A notice informs the user, because someone else may know the old password.
 *
 * @param user The user as of the verification of the current password.
 * @param kept `sessionId`: the session to keep, with the tokens issued in it. `signInId`: the sign-in to keep.
 * @returns The user with the new password; undefined if the user's password or state has changed in the meantime.
 * @throws SignetError UNAVAILABLE if too many passwords wait to be hashed, or for a failure of the database.
 * @throws TypeError for a password that `findPasswordProblem` rejects as too long or not well-formed.
 */
export async function changePassword(
  { db, clock, passwords, outbox, serializeHashing, announceEnds }: ChangePasswordParts,
  user: SignInUser,
  password: string,
  kept: { readonly sessionId?: string; readonly signInId?: string },
  caller: Caller,
): Promise<SignInUser | undefined> {
  const turn = { kind: "page", orgId: user.orgId } as const;
  const newHash = await serializeHashing(user.id, () => passwords.hash(password, { turn, ...caller }));
  caller.throwIfOver();
  const { changed } = await retryWhenChanged(async () => {
    const current = await findSignInUser({ db }, user.id, caller);
    if (current?.state !== "active" || current.passwordHash !== user.passwordHash) return { changed: undefined };
    const notices = outbox.notices("password-changed", { isOwn: true, userAgent: caller.userAgent });
    const [row] = await storePassword(db, {
      ...toOwnEvents(current, clock(), [{ type: "user.human.password.changed", payload: {} }]),
      sequence: current.sequence,
      newHash,
      keptSession: kept.sessionId ?? null,
      keptSignIn: kept.signInId === undefined ? null : hashSecret(kept.signInId),
      notices: JSON.stringify(notices),
    });
    if (row === undefined) return undefined;
    outbox.announce([], notices);
    announceEnds?.(row.ended_sessions);
    const { sequence } = row;
    return { changed: { ...current, sequence, passwordHash: newHash, passwordChangeRequired: false } };
  });
  return changed;
}

interface StoreValues extends NoticeValues {
  sequence: bigint;
  newHash: string;
  keptSession: string | null;
  keptSignIn: Buffer | null;
}

/**
 * Returns no row if the user has changed since it was read. Links are ended as of the statement's snapshot, so a link
 * created by a concurrent change of the user would otherwise remain valid.
 */
const storePassword = prepareStatement<StoreValues, { sequence: bigint; ended_sessions: EndedSession[] }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param, {
        password_hash: param("newHash", "text"),
        password_changed_at: changeTime(param, "users"),
        password_change_required: false,
        ...SESSIONS_ENDED,
      }).where("sequence", "=", param("sequence", "bigint")),
    )
    .with("ended", () => endSessions(param, "changed", param("keptSession", "text"), param("keptSignIn", "bytea")))
    .with("ended_codes", () => endCodes(param, "password", "changed"))
    .with("ended_links", () => endOwnLinks(param, "changed"))
    .with("appended", () => appendEvents(param, "changed"))
    .with("notified", () => queueNotices(param, "changed"))
    .selectFrom("changed")
    .select(["sequence", endedSessionsIn("ended", param("aggregateId", "uuid")).as("ended_sessions")]),
);
