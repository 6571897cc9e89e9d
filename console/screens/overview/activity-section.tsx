import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { UserMessageState } from "../../../gen/signet/v1/user_message_pb.js";
import type { Api } from "../../api/api.ts";
import { ProblemNote, Section } from "../../parts/screen.tsx";
import { formatCount, formatNumber } from "../../parts/values.tsx";
import { language, texts } from "../../state/language.ts";
import { toPath } from "../../state/paths.ts";
import { useApi } from "../../state/session.ts";
import { type Loaded, useLoad } from "../../state/use-load.ts";
import { EVENT_KINDS, type EventKind } from "../audit/event-kinds.ts";
import { HourBar } from "../audit/hour-bar.tsx";
import {
  countEvents,
  countFailures,
  countHours,
  type HourCount,
  mostOf,
  startOfHour,
  sumOf,
} from "../audit/hour-counts.ts";

const CHARTS = ["signIns", "failures", "newUsers"] as const satisfies readonly EventKind[];

/** What happened in the last 24 hours, and the messages that wait. */
export function ActivitySection({ orgId }: { orgId: string }) {
  return (
    <Section title={texts.value.overview.activity}>
      <div class="stats">
        {CHARTS.map((kind) => (
          <DayTile key={kind} orgId={orgId} kind={kind} />
        ))}
        <MessagesTile orgId={orgId} />
      </div>
    </Section>
  );
}

/** The number of a day, with a bar for each hour. The tiles load apart from each other, so that none waits for a slower one. */
function DayTile({ orgId, kind }: { orgId: string; kind: (typeof CHARTS)[number] }) {
  const api = useApi(orgId);
  const { overview, audit } = texts.value;
  // The last bar is the current hour.
  const start = startOfHour(new Date(), -23);
  const found = useLoad(`day ${orgId} ${kind}`, (signal) => countSince(api, kind, start, signal));
  const { value: counts } = found;
  const hours = counts === undefined ? [] : countHours(counts.times, start);
  const total = sumOf(hours);
  const most = mostOf(hours);
  const title = audit.kinds[kind];
  return (
    <section class="stat" aria-label={title}>
      <h3>
        <a href={`${toPath({ page: "audit", orgId })}?kind=${kind}&since=${start.toISOString()}`}>{title}</a>
      </h3>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <p class="number">{counts === undefined ? "…" : `${formatNumber(total)}${counts.isMore ? "+" : ""}`}</p>
      {/* Screen readers get the table instead. */}
      <div class={kind === "failures" ? "hours bad" : "hours"} aria-hidden="true">
        {hours.map((hour) => (
          <HourBar key={String(hour.start)} count={hour.count} most={most} title={describeHour(hour)} />
        ))}
      </div>
      {total > 0 && <HourTable title={title} hours={hours} />}
      {counts?.isMore && <p class="small">{overview.latestOnly(formatNumber(total))}</p>}
    </section>
  );
}

async function countSince(api: Api, kind: EventKind, since: Date, signal: AbortSignal) {
  if (kind === "failures") return await countFailures(api, { since }, signal);
  const creationDateFilter = { case: "range" as const, value: { since: timestampFromDate(since) } };
  const request = { eventTypes: [...EVENT_KINDS[kind]], creationDateFilter };
  return await countEvents((each) => api.management.listEvents(each, { signal }), request);
}

function MessagesTile({ orgId }: { orgId: string }) {
  const { overview } = texts.value;
  const waiting = useMessageCount(orgId, UserMessageState.WAITING);
  const failed = useMessageCount(orgId, UserMessageState.FAILED);
  const messagesPage = toPath({ page: "messages", orgId });
  return (
    <section class="stat" aria-label={overview.waiting}>
      <h3>
        <a href={`${messagesPage}?state=waiting`}>{overview.waiting}</a>
      </h3>
      <ProblemNote
        problem={waiting.problem ?? failed.problem}
        onRetry={waiting.problem ? waiting.reload : failed.reload}
      />
      <p class="number">{waiting.value === undefined ? "…" : formatCount(waiting.value)}</p>
      {failed.value === 0 && <p class="small">{overview.noFailed}</p>}
      {(failed.value ?? 0) > 0 && (
        <p class="error">
          <a href={`${messagesPage}?state=failed`}>{overview.failed(formatCount(failed.value ?? 0))}</a>
        </p>
      )}
    </section>
  );
}

function useMessageCount(orgId: string, state: UserMessageState): Loaded<number> {
  const { management } = useApi(orgId);
  return useLoad(`messages ${orgId} ${state}`, async (signal) => {
    const { details } = await management.listUserMessages({ query: { limit: 1 }, state }, { signal });
    return Number(details?.totalResult ?? 0n);
  });
}

function HourTable({ title, hours }: { title: string; hours: readonly HourCount[] }) {
  return (
    <table class="spoken">
      <caption>{texts.value.overview.byHour(title)}</caption>
      <tbody>
        {hours
          .filter(({ count }) => count > 0)
          .map(({ start, count }) => (
            <tr key={String(start)}>
              <th scope="row">{nameOfHour(start)}</th>
              <td>{formatNumber(count)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function describeHour({ start, count }: HourCount): string {
  return `${nameOfHour(start)}${texts.value.colon} ${formatNumber(count)}`;
}

function nameOfHour(start: Date): string {
  return new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit" }).format(start);
}
