import { type Actor, isAllowed } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import type { CodeKind } from "../../codes/kinds.ts";
import { nextSendAt } from "../../codes/replace-limits.ts";
import { isId } from "../../crypto/secrets.ts";
import { emailTaken, phoneTaken, userNameTaken } from "../../database/failure.ts";
import type { RunTogether } from "../../database/run-together.ts";
import { type Reason, SignetError } from "../../errors.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import { type Changed, toChanged } from "../../events/object-details.ts";
import { retryWhenChanged } from "../../events/retry-when-changed.ts";
import type { NoticeOrigin } from "../../messages/notices.ts";
import { type Issued, issuedToRows, type Outbox } from "../../messages/outbox.ts";
import { userNotFound } from "../user-not-found.ts";
import type { AnnounceEnds } from "./end-sessions.ts";
import { mayChange, userProtected } from "./protected-user.ts";
import type { ChangedUser, Plan, UserChangeKind } from "./user-change.ts";

export interface ChangeUserParts {
  readonly runTogether: RunTogether;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly announceEnds?: AnnounceEnds | undefined;
}

/** The plan of a change: events, and codes with their messages and events. */
export function toPlan(events: readonly NewEvent[], ...issued: readonly Issued[]): Plan {
  return { events: [...events, ...issued.map(({ code: { event } }) => event)], ...issuedToRows(issued) };
}

/**
 * Runs a command prepared by `prepareUserChange`.
 *
 * @param result The fields of the result besides `details`, to be stored; see `Idempotency`.
 * @returns The details of the last event, also if nothing was changed.
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED for a user with a role that the caller may not change, the
 *   command's own errors, or for a failure of the database.
 */
export async function changeUser<Values extends object>(
  { runTogether, outbox, clock, announceEnds }: ChangeUserParts,
  kind: UserChangeKind<Values>,
  {
    userId,
    plans,
    now = clock(),
    isQuiet = false,
    ...values
  }: {
    readonly userId: string;
    readonly plans: readonly Plan[];
    readonly now?: Date;
    /** Whether to report nothing to the user. */
    readonly isQuiet?: boolean;
  } & Values,
  call: Call<Actor>,
  result?: object,
): Promise<Changed> {
  const id = userId.toLowerCase();
  // A self reaches only itself.
  if (!isId(userId) || !isAllowed(call, "user.write", id)) throw userNotFound(kind.missing, userId);
  const notices = kind.notice === undefined || isQuiet ? [] : outbox.notices(kind.notice, toOrigin(call, id));
  const command = {
    ...(values as unknown as Values),
    ownerId: call.orgId,
    aggregateId: id,
    editorId: call.userId,
    now,
    plans,
    ...mayChange(call, id),
    keptSession: call.kind === "self" ? (call.keptSession ?? null) : null,
    notices,
  };
  const user = await retryWhenChanged(async () => {
    const row = await runTogether(kind, command, call, result);
    if (row === undefined) throw userNotFound(kind.missing, userId);
    return row.is_fresh ? row : undefined;
  });
  if (user.refusal !== null) throw toRefusal(user.refusal, user, now, kind.limitedKind);
  if (user.choice !== null) {
    const messages = plans[user.choice]?.messages ?? [];
    outbox.announce(
      messages.map((message) => ({ message })),
      notices,
    );
  }
  announceEnds?.(user.ended_sessions ?? []);
  return toChanged(user, call.orgId);
}

/** A user may also call an RPC to change themselves. */
function toOrigin({ userId, userAgent }: Call<Actor>, changedId: string): NoticeOrigin {
  return { isOwn: userId === changedId, userAgent };
}

const MESSAGES: Partial<Record<Reason, string>> = {
  PHONE_NOT_FOUND: "the user has no phone number",
  PHONE_VERIFIED: "the phone number is already verified",
  RECIPIENT_NOT_VERIFIED: "the user has no verified address or number for this type of message",
  METADATA_NOT_FOUND: "the user has no metadata with the key, or with one of the keys",
  APP_NOT_FOUND: "appId: no application of the organization has this id",
  APP_ROLE_NOT_FOUND: "roles: the application, or for a removal the user, does not have all of these roles",
  METADATA_LIMIT: "a user can have at most 50 values as metadata",
  OTP_NOT_FOUND: "the user has no one-time codes",
  MESSAGE_NOT_FOUND: "messageId: no message to the user has this id",
  MESSAGE_STATE:
    "the message is being sent, was sent, or has expired; only one that waits or has failed can be sent again",
  TOKEN_NOT_FOUND: "tokenId: the user has no token with this id",
  PASSKEY_NOT_FOUND: "tokenId: the user has no passkey with this id",
  ONLY_WAY_IN: "the user has no other way to sign in",
  IDP_LINK_NOT_FOUND: "the user has no link with this idpId and linkedUserId",
};

function toRefusal(reason: Reason, user: ChangedUser, now: Date, limitedKind?: CodeKind): SignetError {
  switch (reason) {
    case "PERMISSION_DENIED":
      return userProtected();
    case "USER_STATE": {
      const state = toUserState(user);
      return new SignetError(reason, `the call is not allowed for a user in the state ${state}`, {
        metadata: { state },
      });
    }
    case "USER_NAME_TAKEN":
      return userNameTaken();
    case "EMAIL_TAKEN":
      return emailTaken("email");
    case "PHONE_TAKEN":
      return phoneTaken("phone");
    case "TOO_MANY_MESSAGES": {
      const nextAt = (limitedKind && nextSendAt({ kind: limitedKind, sentAt: user.sent_at }, now)) ?? now;
      const later = limitedKind === "password" ? ", and then one per hour" : "";
      const message = `the user gets at most one such message per minute, and five in 24 hours${later}`;
      return new SignetError(reason, message, { retryAfterMs: nextAt.getTime() - now.getTime() });
    }
    default:
      return new SignetError(reason, MESSAGES[reason] ?? "the call is not allowed for this user");
  }
}

/** The name of a user's state in the API: a value of `UserState`. */
function toUserState({ state, initialized }: Pick<ChangedUser, "state" | "initialized">): string {
  if (state === "active") return initialized ? "USER_STATE_ACTIVE" : "USER_STATE_INITIAL";
  return state === "inactive" ? "USER_STATE_INACTIVE" : "USER_STATE_LOCKED";
}
