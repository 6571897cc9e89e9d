import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { nextSendAt } from "../codes/replace-limits.ts";
import { isId } from "../crypto/secrets.ts";
import type { RunTogether } from "../database/run-together.ts";
import { type Reason, SignetError } from "../errors.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { retryWhenChanged } from "../events/retry-when-changed.ts";
import { type Issued, issuedToRows, type Outbox } from "../messages/outbox.ts";
import type { AnnounceEnds } from "./end-sessions.ts";
import type { ChangedUser, Plan, UserChangeKind } from "./prepare-user-change.ts";
import { mayChange, userProtected } from "./protected-user.ts";
import { userNotFound } from "./user-not-found.ts";

/** The dependencies of a change of a user. */
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
 * @returns The user, with the details of the last event if nothing was changed.
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
    ...values
  }: { readonly userId: string; readonly plans: readonly Plan[]; readonly now?: Date } & Values,
  call: Call,
): Promise<ChangedUser> {
  if (!isId(userId)) throw userNotFound(kind.missing, userId);
  const command = {
    ...(values as unknown as Values),
    ownerId: call.orgId,
    aggregateId: userId.toLowerCase(),
    editorId: call.userId,
    now,
    plans,
    ...mayChange(call),
    keptSession: call.keptSession ?? null,
  };
  const user = await retryWhenChanged(async () => {
    const row = await runTogether(kind, command, call);
    if (row === undefined) throw userNotFound(kind.missing, userId);
    return row.is_fresh ? row : undefined;
  });
  if (user.refusal !== null) throw toRefusal(user.refusal, user, now);
  if (user.choice !== null) outbox.announce((plans[user.choice]?.messages ?? []).map((message) => ({ message })));
  announceEnds?.(user.ended_sessions ?? []);
  return user;
}

const MESSAGES: Partial<Record<Reason, string>> = {
  PHONE_NOT_FOUND: "the user has no phone number",
  PHONE_VERIFIED: "the phone number is already verified",
  RECIPIENT_NOT_VERIFIED: "the user has no verified address or number for this type of message",
  PASSKEY_NOT_FOUND: "tokenId: the user has no passkey with this id",
  IDP_LINK_NOT_FOUND: "the user has no link with this idpId and linkedUserId",
};

function toRefusal(reason: Reason, user: ChangedUser, now: Date): SignetError {
  switch (reason) {
    case "PERMISSION_DENIED":
      return userProtected();
    case "USER_STATE": {
      const state = toUserState(user);
      return new SignetError(reason, `the call is not allowed for a user in the state ${state}`, {
        metadata: { state },
      });
    }
    case "TOO_MANY_MESSAGES": {
      const nextAt = nextSendAt({ sentAt: user.sent_at }, now) ?? now;
      const message = "the user gets at most one such message per minute, and five in 24 hours";
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
