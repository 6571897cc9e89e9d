import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Button } from "../../parts/button.tsx";
import { FailedSignInRows } from "../../parts/failed-sign-in-rows.tsx";
import { Chips, PageButton } from "../../parts/list-screen.tsx";
import { Page, ProblemNote, Skeleton } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { search as parameters, setSearch } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { firstOrg, useApi, useSession } from "../../state/session.ts";
import { namesOf } from "../../state/tables.ts";
import { useLoad } from "../../state/use-load.ts";
import { DayChart } from "./day-chart.tsx";
import { EventFilters, FIRST_PAGE } from "./event-filters.tsx";
import { EVENT_KINDS } from "./event-kinds.ts";
import { type EventRequest, type EventSearch, readEventSearch, toEventRequest, typesOf } from "./event-search.ts";
import { EventTable } from "./event-table.tsx";
import { countEvents, countFailures, DAY_MS } from "./hour-counts.ts";
import { useFollow } from "./use-follow.ts";

/** The events in which the values before a change are looked for. */
const EARLIER = 50;

/** The events of an organization; without one, those of the instance and of all organizations. */
export function AuditPage({ orgId }: { orgId?: string }) {
  const api = useApi(orgId);
  const { audit } = texts.value;
  const search = readEventSearch(parameters.value);
  const { open: _, follows, before, since, until, ...shown } = search;
  const either = orgId === undefined ? api.admin : api.management;
  const list = (request: EventRequest, signal: AbortSignal) => either.listEvents(request, { signal });
  const count = async (range: { readonly since: Date; readonly until: Date }, signal: AbortSignal) => {
    if (orgId !== undefined && search.kind === "failures")
      return await countFailures(api, { ...range, userId: search.object }, signal);
    const request = toEventRequest({ ...search, ...range, before: undefined });
    return await countEvents((each) => list(each, signal), request);
  };
  const what = JSON.stringify({ orgId, ...shown });
  const found = useLoad(JSON.stringify({ what, since, until, before: String(before) }), (signal) =>
    list(toEventRequest(search), signal),
  );
  const { value } = found;
  const eventTypes = typesOf(search);
  // From the latest event that is shown, so that none between the two calls is missed.
  const [latest] = value?.events ?? [];
  const watched = { eventTypes, ...(latest && { afterPosition: latest.sequence }) };
  const problem = useFollow(
    follows && value ? `${orgId} ${eventTypes}` : undefined,
    (signal) => either.watchEvents(watched, { signal }),
    found.reload,
  );
  return (
    <Page title={orgId === undefined ? audit.allTitle : audit.title} tools={<Scope orgId={orgId} />}>
      <div class="tools">
        <KindChips search={search} />
        <button
          type="button"
          class="chip"
          aria-pressed={follows}
          disabled={search.before !== undefined}
          onClick={() => setSearch({ follow: follows ? undefined : "1" }, { replace: true })}
        >
          {audit.follow}
        </button>
      </div>
      <EventFilters orgId={orgId} search={search} events={value?.events ?? []} />
      <DayChart search={search} id={what} count={count} />
      {orgId !== undefined && search.kind === "failures" && <FailedSources orgId={orgId} search={search} />}
      <ProblemNote problem={found.problem ?? problem} onRetry={found.reload} />
      {value === undefined && <Skeleton isShown={found.isSlow} />}
      {value && value.events.length > 0 && (
        <EventTable
          events={value.events}
          isCurrent={found.isCurrent}
          open={search.open}
          isOfAll={orgId === undefined}
          findEarlier={async ({ aggregate, sequence }, eventTypes, signal) =>
            (await list({ aggregateId: aggregate?.id ?? "", sequence, eventTypes, limit: EARLIER }, signal)).events
          }
        />
      )}
      {value && <EventPager search={search} isEmpty={value.events.length === 0} next={value.nextSequence} />}
    </Page>
  );
}

/** Leads between the events of an organization and all events. */
function Scope({ orgId }: { orgId: string | undefined }) {
  const session = useSession();
  const { audit } = texts.value;
  if (!session.seesAllOrgs) return null;
  if (orgId !== undefined) return <a href={toPath({ page: "instanceAudit" })}>{audit.ofAll}</a>;
  return <a href={toPath({ page: "audit", orgId: firstOrg(session) })}>{audit.ofOrg}</a>;
}

interface EventPagerProps {
  readonly search: EventSearch;
  readonly isEmpty: boolean;
  /** Where the older events begin; 0 if there are none. */
  readonly next: bigint;
}

function EventPager({ search, isEmpty, next }: EventPagerProps) {
  const { audit } = texts.value;
  return (
    <div class="pager">
      <p role="status">{isEmpty && (next === 0n ? audit.none : audit.noneYet)}</p>
      {search.before !== undefined && (
        <Button label={audit.latest} onClick={() => setSearch({ before: undefined, open: undefined })} />
      )}
      <PageButton
        label={isEmpty && next !== 0n ? audit.searchOn : audit.older}
        isOffered={next !== 0n}
        onClick={() => setSearch({ before: String(next), open: undefined, follow: undefined })}
      />
    </div>
  );
}

function KindChips({ search }: { search: EventSearch }) {
  const { kinds, filters } = texts.value.audit;
  const names = namesOf(EVENT_KINDS);
  const cleared = { ...FIRST_PAGE, type: undefined };
  return (
    <Chips legend={filters} parameter="kind" names={names} labels={kinds} current={search.kind} cleared={cleared} />
  );
}

/** Where the failed sign-ins come from: all are counted, but only some of them are events. */
function FailedSources({ orgId, search }: { orgId: string; search: EventSearch }) {
  const { management } = useApi(orgId);
  const { audit } = texts.value;
  const { since, until, object: userId } = search;
  const found = useLoad(JSON.stringify({ what: "failed", orgId, since, until, userId }), async (signal) => {
    const end = until ?? new Date();
    // The API counts at most 31 days.
    const start = Math.max((since ?? new Date(end.getTime() - DAY_MS)).getTime(), end.getTime() - 31 * DAY_MS);
    const range = { since: timestampFromDate(new Date(start)), until: timestampFromDate(end) };
    return (await management.countFailedSignIns({ ...range, userId }, { signal })).sources;
  });
  return (
    <details class="more" open>
      <summary>{audit.sources}</summary>
      <p class="hint">{audit.sourcesHint}</p>
      <FailedSignInRows found={found} />
    </details>
  );
}
