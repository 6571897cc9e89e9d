import type { ScimRequest } from "../../../gen/signet/v1/scim_pb.js";
import { Actions } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { type ItemPart, ProblemNote, Section } from "../../parts/screen.tsx";
import { Counts } from "../../parts/values.tsx";
import { useApi } from "../../state/session.ts";
import { namesOf } from "../../state/tables.ts";
import { useLoad } from "../../state/use-load.ts";
import type { NamedConnection } from "./directory-status.tsx";
import { scimTexts } from "./scim-texts.ts";

/** The service keeps no more. */
const LOGGED = 1_000;

interface TrialProps extends ItemPart, NamedConnection {
  readonly isTrial: boolean;
  readonly set: (isTrial: boolean) => Promise<unknown>;
}

/** Begins or ends a trial, which changes nothing, and counts what would happen. */
export function TrialSection({ orgId, id, name, isTrial, mayChange, set, onChanged }: TrialProps) {
  const own = scimTexts.value;
  const action = isTrial
    ? { label: own.endTrial, text: own.endTrialText, done: own.trialEnded, change: () => set(false) }
    : { label: own.startTrial, text: own.startTrialText, done: own.trialStarted, change: () => set(true) };
  return (
    <Section title={own.trial}>
      {isTrial && (
        <p>
          <strong>{own.trialOn}</strong>
        </p>
      )}
      <p class="hint">{own.trialHint}</p>
      {isTrial && <TrialCounts orgId={orgId} id={id} />}
      {mayChange && <Actions of={name} actions={[action]} onDone={onChanged} />}
    </Section>
  );
}

function TrialCounts({ orgId, id }: { orgId: string; id: string }) {
  const { management } = useApi(orgId);
  const own = scimTexts.value;
  const found = useLoad(`scim trial ${orgId} ${id}`, async (signal) => {
    const { result } = await management.listScimRequests({ id, query: { limit: LOGGED } }, { signal });
    return countTrial(result);
  });
  const { value: counts } = found;
  const names = counts && namesOf(counts).filter((name) => counts[name] > 0);
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {names?.length === 0 && <p class="quiet">{own.trialNothing}</p>}
      {counts && names && names.length > 0 && (
        <>
          <Counts names={names} labels={own.trialCounted} counts={counts} />
          <p class="hint">{own.trialCounts}</p>
        </>
      )}
      <div class="buttons">
        <Button label={own.refresh} onClick={found.reload} />
      </div>
    </>
  );
}

/** What the latest requests of a trial would have done, by their outcomes. */
const WOULD: Readonly<Record<string, "add" | "change" | "deactivate" | "remove" | "keep">> = {
  "would add": "add",
  "would change": "change",
  "would deactivate": "deactivate",
  "would remove": "remove",
  "would leave unchanged": "keep",
};

/** The outcomes of changes that were made. */
const MADE: readonly string[] = ["added", "changed", "deactivated", "removed", "unchanged"];

/** @param requests The newest first. Those before the latest change that was made do not belong to the trial. */
function countTrial(requests: readonly Pick<ScimRequest, "outcome" | "status">[]) {
  const counts = { add: 0, change: 0, deactivate: 0, remove: 0, keep: 0, failed: 0 };
  for (const { outcome, status } of requests) {
    if (MADE.includes(outcome)) break;
    const name = status >= 400 ? "failed" : WOULD[outcome];
    if (name !== undefined) counts[name]++;
  }
  return counts;
}
