import { useEffect } from "preact/hooks";
import { Page, ProblemNote, Section } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { usePermissions } from "../../state/permissions.ts";
import { firstOrg, useSession } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { ActivitySection } from "./activity-section.tsx";
import { findSteps, type Step } from "./find-steps.ts";

/** What to do first in an organization, and what happened in it. */
export function OverviewPage({ orgId }: { orgId: string }) {
  const session = useSession();
  const { overview } = texts.value;
  const permissions = usePermissions(orgId).value;
  const steps = useLoad(permissions && `steps ${orgId}`, (signal) =>
    permissions === undefined ? Promise.resolve([]) : findSteps(session, orgId, permissions, signal),
  );
  return (
    <Page title={overview.title}>
      {permissions?.can("user.read") && <ActivitySection orgId={orgId} />}
      <ProblemNote problem={steps.problem} onRetry={steps.reload} />
      {steps.value && <FirstSteps steps={steps.value} />}
    </Page>
  );
}

/** What to do first, and above all next; nothing once all is done. */
function FirstSteps({ steps }: { steps: readonly Step[] }) {
  const { overview } = texts.value;
  const next = steps.find(({ isDone }) => !isDone);
  if (next === undefined) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title={overview.first}>
      <div class="next-step">
        <p>
          <strong>{overview.next(overview.steps[next.name].title)}</strong>
          <br />
          <span class="quiet">{overview.steps[next.name].reason}</span>
        </p>
        <a class="button" href={next.href}>
          {overview.begin}
        </a>
      </div>
      <p class="quiet">{overview.progress(done, steps.length)}</p>
      <ul class="steps">
        {steps.map(({ name, isDone, href }) => (
          <li key={name} class={isDone ? "done" : undefined}>
            <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="7.5" />
              {isDone && <path d="M6.5 10.2 9 12.7l4.5-5" />}
            </svg>
            <div>
              {isDone ? <span>{overview.steps[name].title}</span> : <a href={href}>{overview.steps[name].title}</a>}
              <p class="small">{isDone ? overview.isDone : overview.steps[name].reason}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Begins with the overview of the first organization. */
export function Home() {
  const orgId = firstOrg(useSession());
  useEffect(() => go(toPath({ page: "overview", orgId }), { replace: true }), []);
  return null;
}
