import { inOrg } from "../../api/api.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { kindOf, MessageStatus, RetryButton } from "../messages/message-status.tsx";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

/** Older ones are of no interest to somebody who waits for an email. */
const SHOWN = 10;

/** The latest messages to the user. */
export function MessagesSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { api } = useSession();
  const { messages, user: own } = texts.value;
  const { id: userId } = user;
  const found = useLoad(`messages ${userId} ${user.details?.sequence}`, async (signal) => {
    return (await api.management.listUserMessages({ userId, query: { limit: SHOWN } }, inOrg(orgId, signal))).result;
  });
  const retried = () => {
    found.reload();
    onChanged();
  };
  return (
    <Section title={messages.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value?.length === 0 && <p class="quiet">{own.none}</p>}
      <ul class="rows">
        {found.value?.map((message) => (
          <li key={message.id}>
            <span class="term">
              <Time at={message.creationDate} />
            </span>
            <span class="value">
              {kindOf(message)} <span class="small">{message.recipient}</span>
              <br />
              <MessageStatus message={message} />
            </span>
            {mayChange && <RetryButton orgId={orgId} message={message} onDone={retried} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}
