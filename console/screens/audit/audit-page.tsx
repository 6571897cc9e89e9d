import { inOrg } from "../../api/api.ts";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { search as parameters, setSearch } from "../../state/location.ts";
import { toPath } from "../../state/routes.ts";
import { firstOrg } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { EventFilters, KindChips } from "./event-filters.tsx";
import { readEventSearch, toEventRequest, typesOf } from "./event-search.ts";
import { EventTable } from "./event-table.tsx";
import { useFollow } from "./use-follow.ts";

/** The events of an organization. */
export function OrgAuditPage({ orgId }: { orgId: string }) {
  return <AuditPage orgId={orgId} />;
}

/** The events of the instance and of all organizations. */
export function InstanceAuditPage() {
  return <AuditPage orgId={undefined} />;
}

/** @param orgId Undefined for all events. */
function AuditPage({ orgId }: { orgId: string | undefined }) {
  const session = useSession();
  const { api } = session;
  const { audit } = texts.value;
  const search = readEventSearch(parameters.value);
  const request = toEventRequest(search);
  const { open: _, follows, ...shown } = search;
  const key = JSON.stringify({ orgId, ...shown, before: String(shown.before) });
  const found = useLoad(key, (signal) =>
    orgId === undefined
      ? api.admin.listEvents(request, { signal })
      : api.management.listEvents(request, inOrg(orgId, signal)),
  );
  const { value } = found;
  const eventTypes = typesOf(search);
  // From the latest event that is shown, so that none between the two calls is missed.
  const [latest] = value?.events ?? [];
  const watched = { eventTypes, ...(latest && { afterPosition: latest.sequence }) };
  const problem = useFollow(
    follows && value ? `${orgId} ${eventTypes}` : undefined,
    (signal) =>
      orgId === undefined
        ? api.admin.watchEvents(watched, { signal })
        : api.management.watchEvents(watched, inOrg(orgId, signal)),
    found.reload,
  );
  const next = value?.nextSequence ?? 0n;
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
      <EventFilters search={search} />
      <ProblemNote problem={found.problem ?? problem} onRetry={found.reload} />
      {value === undefined && <Skeleton isShown={found.isSlow} />}
      {value && value.events.length > 0 && (
        <EventTable events={value.events} isCurrent={found.isCurrent} open={search.open} />
      )}
      {value && (
        <div class="pager">
          <p role="status">{value.events.length === 0 && (next === 0n ? audit.none : audit.noneYet)}</p>
          {search.before !== undefined && (
            <button type="button" class="secondary" onClick={() => setSearch({ before: undefined, open: undefined })}>
              {audit.latest}
            </button>
          )}
          <button
            type="button"
            class="secondary"
            disabled={next === 0n}
            onClick={() => setSearch({ before: String(next), open: undefined, follow: undefined })}
          >
            {value.events.length === 0 && next !== 0n ? audit.searchOn : audit.older}
          </button>
        </div>
      )}
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
