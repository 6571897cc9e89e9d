import type { DescMessage } from "@bufbuild/protobuf";
import { type ListUserMessagesRequest, UserMessageState } from "../../../gen/signet/v1/user_message_pb.js";
import type { Problems } from "../../errors.ts";
import type { MessageState } from "../../messages/find-messages.ts";
import { USER_MESSAGE_ORDER, type UserMessageSearch } from "../../users/messages/list-user-messages.ts";
import { toListQuery } from "./list-query.ts";

/** The fields for `listUserMessages`. */
export function toMessageSearch(
  request: ListUserMessagesRequest,
  problems: Problems,
  schema: DescMessage,
): UserMessageSearch {
  return {
    page: toListQuery(schema, request, USER_MESSAGE_ORDER, problems),
    state: STATES[request.state],
    userId: request.userId === "" ? undefined : request.userId,
  };
}

const STATES: Readonly<Record<UserMessageState, MessageState | undefined>> = {
  [UserMessageState.UNSPECIFIED]: undefined,
  [UserMessageState.WAITING]: "waiting",
  [UserMessageState.SENDING]: "sending",
  [UserMessageState.SENT]: "sent",
  [UserMessageState.FAILED]: "failed",
  [UserMessageState.EXPIRED]: "expired",
};
