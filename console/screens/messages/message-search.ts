import { UserMessageState } from "../../../gen/signet/v1/user_message_pb.js";

/** The states by their names in addresses and texts. */
export const MESSAGE_STATES = {
  waiting: UserMessageState.WAITING,
  sending: UserMessageState.SENDING,
  failed: UserMessageState.FAILED,
  expired: UserMessageState.EXPIRED,
  sent: UserMessageState.SENT,
} as const;

export type MessageStateName = keyof typeof MESSAGE_STATES;

export function readMessageState(text: string | null): MessageStateName | undefined {
  return text !== null && Object.hasOwn(MESSAGE_STATES, text) ? (text as MessageStateName) : undefined;
}

export function nameOfState(state: UserMessageState): MessageStateName | undefined {
  return (Object.keys(MESSAGE_STATES) as MessageStateName[]).find((name) => MESSAGE_STATES[name] === state);
}

/** Whether the API sends a message in this state again. */
export function mayRetry(state: UserMessageState): boolean {
  return state === UserMessageState.WAITING || state === UserMessageState.FAILED;
}
