import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type ListUserMessagesRequest,
  UserMessageChannel,
  UserMessageState,
} from "../../../gen/signet/v1/user_message_pb.js";
import type { MessageState } from "../../messages/find-messages.ts";
import { USER_MESSAGE_ORDER, type UserMessageRow } from "../../users/messages/list-user-messages.ts";
import { nameOf, searchOf } from "./list.ts";

/** The fields for `listUserMessages`. */
export const toMessageSearch = searchOf(USER_MESSAGE_ORDER, ({ state, userId }: ListUserMessagesRequest) => ({
  state: nameOf(STATES, state),
  userId: userId === "" ? undefined : userId,
}));

/** Converts a row to a message in a response. It never contains the content of the message. */
export function toUserMessage(row: UserMessageRow) {
  const nextAttemptAt = row.state === "waiting" ? row.next_attempt_at : null;
  return {
    id: row.id,
    userId: row.user_id ?? "",
    displayName: row.display_name ?? "",
    kind: row.kind,
    channel: CHANNELS[row.channel],
    recipient: row.recipient,
    state: STATES[row.state],
    creationDate: timestampFromDate(row.created_at),
    attempts: row.attempts,
    ...(nextAttemptAt !== null && { nextAttemptDate: timestampFromDate(nextAttemptAt) }),
    ...(row.ended_at !== null && { endDate: timestampFromDate(row.ended_at) }),
    lastError: row.last_error ?? "",
  };
}

export const CHANNELS = { email: UserMessageChannel.EMAIL, sms: UserMessageChannel.SMS } as const;

export const STATES: Readonly<Record<MessageState, UserMessageState>> = {
  waiting: UserMessageState.WAITING,
  sending: UserMessageState.SENDING,
  sent: UserMessageState.SENT,
  failed: UserMessageState.FAILED,
  expired: UserMessageState.EXPIRED,
};
