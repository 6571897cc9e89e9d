import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

/** The browsers in which the user is signed in. */
export function SessionsSection({ orgId, user, mayChange }: UserPart) {
  const { api } = useSession();
  const { sessions, ...own } = texts.value.user;
  const { id: userId } = user;
  const found = useLoad(`sessions ${userId} ${user.details?.sequence}`, async (signal) => {
    const query = { limit: 50 };
    return (await api.management.listUserSessions({ userId, query }, inOrg(orgId, signal))).result;
  });
  const end = (sessionIds: string[]) => api.management.endUserSessions({ userId, sessionIds }, inOrg(orgId));
  return (
    <Section title={sessions.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value?.length === 0 && <p class="quiet">{own.none}</p>}
      <ul class="rows">
        {found.value?.map((session) => (
          <li key={session.id}>
            <span class="value">
              {session.userAgent || sessions.unknownBrowser}
              <br />
              <span class="small">
                {sessions.lastSeen} <Time at={session.lastSeen} /> · {session.methods.join(", ")}
              </span>
            </span>
            {mayChange && (
              <ActionButton
                label={sessions.end}
                name={`${sessions.end}: ${session.userAgent}`}
                change={() => end([session.id])}
                onDone={found.reload}
              />
            )}
          </li>
        ))}
      </ul>
      {mayChange && (found.value?.length ?? 0) > 1 && (
        <ActionButton label={sessions.endAll} isDangerous change={() => end([])} onDone={found.reload} />
      )}
    </Section>
  );
}
