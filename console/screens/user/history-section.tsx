import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { eventWords } from "../../parts/event-words.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

const STEP = 20;

/** The events of the user, the latest first. */
export function HistorySection({ orgId, user }: UserPart) {
  const { api } = useSession();
  const { history } = texts.value.user;
  const [limit, setLimit] = useState(STEP);
  const { id: userId } = user;
  const found = useLoad(`history ${userId} ${user.details?.sequence} ${limit}`, async (signal) => {
    return (await api.management.listUserChanges({ userId, query: { limit } }, inOrg(orgId, signal))).result;
  });
  return (
    <Section title={history.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <ol class="rows">
        {found.value?.map(({ sequence, changeDate, eventType, editorId, editorDisplayName }) => (
          <li key={String(sequence)}>
            <span class="term">
              <Time at={changeDate} />
            </span>
            <span class="value">
              {eventWords(eventType?.key ?? "", eventType?.localizedMessage)}{" "}
              <span class="small">{editorDisplayName || editorId || history.operator}</span>
            </span>
          </li>
        ))}
      </ol>
      {found.value?.length === limit && limit < 1_000 && (
        <button type="button" class="secondary" onClick={() => setLimit(Math.min(limit * 5, 1_000))}>
          {history.more}
        </button>
      )}
    </Section>
  );
}
