import type { UserMessage } from "../../../gen/signet/v1/user_message_pb.js";
import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { mayRetry, nameOfState } from "./message-search.ts";

/** What has become of a message, and what is next. */
export function MessageStatus({ message }: { message: UserMessage }) {
  const { messages } = texts.value;
  const name = nameOfState(message.state);
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

interface RetryButtonProps {
  readonly orgId: string;
  readonly message: UserMessage;
  readonly onDone: () => void;
}

/** Sends a message again that waits or has failed. */
export function RetryButton({ orgId, message, onDone }: RetryButtonProps) {
  const { api } = useSession();
  const { messages } = texts.value;
  const { id: messageId, userId, recipient } = message;
  if (!mayRetry(message.state) || userId === "") return null;
  return (
    <ActionButton
      label={messages.retry}
      name={`${messages.retry}: ${recipient}`}
      change={() => api.management.retryUserMessage({ userId, messageId }, inOrg(orgId))}
      onDone={onDone}
    />
  );
}

/** What the message is about, in words; the name of the API for a kind that the console does not know. */
export function kindOf({ kind }: UserMessage): string {
  const { kinds } = texts.value.messages;
  return kinds[kind] ?? kind;
}
