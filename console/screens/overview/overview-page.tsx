import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { usePermissions } from "../../state/permissions.ts";
import { useLoad } from "../../state/use-load.ts";
import { ActivitySection } from "./activity-section.tsx";
import { findSteps } from "./find-steps.ts";
import { FirstSteps } from "./first-steps.tsx";

/** What to do first in an organization, and what happened in it. */
export function OverviewPage({ orgId }: { orgId: string }) {
  const session = useSession();
  const { overview } = texts.value;
  const permissions = usePermissions(orgId).value;
  const steps = useLoad(permissions && `steps ${orgId}`, (signal) =>
    permissions === undefined ? Promise.resolve([]) : findSteps(session, orgId, permissions, signal),
  );
  const isSettled = steps.value !== undefined || steps.problem !== undefined;
  return (
    <Page title={overview.title}>
      <ProblemNote problem={steps.problem} onRetry={steps.reload} />
      {!isSettled && <Skeleton isShown={steps.isSlow} />}
      {steps.value && <FirstSteps steps={steps.value} />}
      {isSettled && permissions?.can("user.read") && <ActivitySection orgId={orgId} />}
    </Page>
  );
}
