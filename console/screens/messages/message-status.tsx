import { type UserMessage, UserMessageState } from "../../../gen/signet/v1/user_message_pb.js";
import { ActionButton } from "../../parts/actions.tsx";
import { Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { nameIn } from "../../state/tables.ts";
import { wordsFor } from "../../texts/words-for.ts";

/** What has become of a message, and what is next. */
export function MessageStatus({ message }: { message: UserMessage }) {
  const { messages } = texts.value;
  const name = nameIn(MESSAGE_STATES, message.state);
  const isBad = name === "failed" || message.lastError !== "";
  return (
    <>
      <span class={name === "sent" ? "state good" : isBad ? "state error" : "state"}>
        {name === undefined ? "" : messages.states[name]}
      </span>
      {message.attempts > 0 && <span class="small"> {messages.attempts(message.attempts)}</span>}
      {message.nextAttemptDate && (
        <span class="small">
          {" · "}
          {messages.next} <Time at={message.nextAttemptDate} />
        </span>
      )}
      {message.lastError && <p class="error">{message.lastError}</p>}
    </>
  );
}

/** Sends a message again that waits or has failed. */
export function RetryButton({ orgId, message, onDone }: { orgId: string; message: UserMessage; onDone: () => void }) {
  const { management } = useApi(orgId);
  const { messages } = texts.value;
  const { id: messageId, userId, recipient } = message;
  // The API sends no others again.
  const mayRetry = message.state === UserMessageState.WAITING || message.state === UserMessageState.FAILED;
  if (!mayRetry || userId === "") return null;
  return (
    <ActionButton
      label={messages.retry}
      name={`${messages.retry}: ${recipient}`}
      done={texts.value.done.sentTo(recipient)}
      change={() => management.retryUserMessage({ userId, messageId })}
      onDone={onDone}
    />
  );
}

/** What the message is about, in words; the name of the API for a kind that the console does not know. */
export function kindOf({ kind }: UserMessage): string {
  return wordsFor(texts.value.messages.kinds, kind);
}

/** The states by their names in addresses and texts. */
export const MESSAGE_STATES = {
  waiting: UserMessageState.WAITING,
  sending: UserMessageState.SENDING,
  failed: UserMessageState.FAILED,
  expired: UserMessageState.EXPIRED,
  sent: UserMessageState.SENT,
} as const;
