import { type UserMessage, UserMessageChannel } from "../../../gen/signet/v1/user_message_pb.js";
import { Chips, ListScreen, useList } from "../../parts/list-screen.tsx";
import { SmallLine } from "../../parts/table.tsx";
import { Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { keyOf, namesOf } from "../../state/tables.ts";
import { kindOf, MESSAGE_STATES, MessageStatus, RetryButton } from "./message-status.tsx";

/** The emails and SMS messages to users of the organization: those that wait, and what has become of others. */
export function MessagesPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const { messages } = texts.value;
  const current = keyOf(MESSAGE_STATES, search.value.get("state"));
  const filter = current && { state: MESSAGE_STATES[current] };
  const mayRetry = useMay(orgId, "user.write");
  const found = useList(
    `messages ${orgId} ${current}`,
    (query, signal) => management.listUserMessages({ query, ...filter }, { signal }),
    { asc: false },
  );
  const names = namesOf(MESSAGE_STATES);
  const retry = (message: UserMessage) => <RetryButton orgId={orgId} message={message} onDone={found.reload} />;
  return (
    <ListScreen
      title={messages.title}
      found={found}
      keyOf={({ id }) => id}
      none={{ text: messages.none, picture: "letter" }}
      count={messages.count}
      tools={
        <Chips legend={messages.state} parameter="state" names={names} labels={messages.states} current={current} />
      }
      columns={[
        [messages.to, (message) => <Recipient orgId={orgId} message={message} />],
        [messages.kind, (message) => <Kind message={message} />],
        [messages.state, (message) => <MessageStatus message={message} />, { class: "wrap" }],
        [messages.queued, ({ creationDate }) => <Time at={creationDate} />],
        mayRetry && [messages.retry, retry, { isSpoken: true }],
      ]}
    />
  );
}

function Recipient({ orgId, message }: { orgId: string; message: UserMessage }) {
  const { userId: id, displayName, recipient } = message;
  if (id === "") return <>{recipient}</>;
  return (
    <>
      <a href={toPath({ page: "user", orgId, id })}>{displayName}</a>
      <SmallLine>{recipient}</SmallLine>
    </>
  );
}

function Kind({ message }: { message: UserMessage }) {
  const { messages } = texts.value;
  return (
    <>
      {kindOf(message)}
      <SmallLine>{message.channel === UserMessageChannel.SMS ? messages.sms : messages.email}</SmallLine>
    </>
  );
}
