import { UserMessageState } from "../../../gen/signet/v1/user_message_pb.js";
import { inOrg } from "../../api/api.ts";
import { formatCount } from "../../parts/count.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import type { EventKind } from "../audit/event-kinds.ts";
import { Section } from "../user/section.tsx";
import { DayChart } from "./day-chart.tsx";
import { countDay } from "./day-counts.ts";

const CHARTS = ["signIns", "failures", "newUsers"] as const satisfies readonly EventKind[];

/** What happened in the last 24 hours, and the messages that wait. */
export function ActivitySection({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { overview, audit } = texts.value;
  const found = useLoad(`activity ${orgId}`, async (signal) => {
    const now = new Date();
    const [days, waiting, failed] = await Promise.all([
      Promise.all(CHARTS.map((kind) => countDay(api, { orgId, kind, now }, signal))),
      countMessages(UserMessageState.WAITING, signal),
      countMessages(UserMessageState.FAILED, signal),
    ]);
    return { days, waiting, failed };
  });

  async function countMessages(state: UserMessageState, signal: AbortSignal): Promise<number> {
    const { details } = await api.management.listUserMessages({ query: { limit: 1 }, state }, inOrg(orgId, signal));
    return Number(details?.totalResult ?? 0n);
  }

  const { value } = found;
  const messagesPage = toPath({ page: "messages", orgId });
  return (
    <Section title={overview.activity}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <div class="stats">
        {CHARTS.map((kind, index) => (
          <DayChart
            key={kind}
            title={audit.kinds[kind]}
            href={`${toPath({ page: "audit", orgId })}?kind=${kind}`}
            isBad={kind === "failures"}
            counts={value?.days[index]}
          />
        ))}
        <section class="stat" aria-label={overview.waiting}>
          <h3>
            <a href={`${messagesPage}?state=waiting`}>{overview.waiting}</a>
          </h3>
          <p class="number">{value === undefined ? "…" : formatCount(value.waiting)}</p>
          <p class={value?.failed ? "error" : "small"}>
            {value && (value.failed === 0 ? overview.noFailed : <FailedLink count={value.failed} />)}
          </p>
        </section>
      </div>
    </Section>
  );

  function FailedLink({ count }: { count: number }) {
    return <a href={`${messagesPage}?state=failed`}>{overview.failed(formatCount(count))}</a>;
  }
}
