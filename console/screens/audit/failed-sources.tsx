import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { FailedSignInRows } from "../../parts/failed-sign-in-rows.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import type { EventSearch } from "./event-search.ts";

const DAY_MS = 86_400_000;

/** Where the failed sign-ins come from: all are counted, but only some of them are events. */
export function FailedSources({ orgId, search }: { orgId: string; search: EventSearch }) {
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
