import type { GetInstanceInfoResponse } from "../../../gen/signet/v1/instance_pb.js";
import { Copyable } from "../../parts/copyable.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "../user/section.tsx";
import { HealthSection } from "./health-section.tsx";
import { KeysSection } from "./keys-section.tsx";

/** The state of the instance: versions, health, keys, and the configuration without secrets. */
export function InstanceScreen() {
  const { api } = useSession();
  const { instance, audit } = texts.value;
  const found = useLoad("instance", (signal) => api.admin.getInstanceInfo({}, { signal }));
  const { value } = found;
  const events = <a href={toPath({ page: "instanceAudit" })}>{audit.allTitle}</a>;
  return (
    <Page title={instance.title} tools={events}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      {value && (
        <>
          <Versions info={value} />
          <HealthSection info={value} onReload={found.reload} />
          <KeysSection keys={value.keys} />
          <SettingsSection info={value} />
        </>
      )}
    </Page>
  );
}

function Versions({ info }: { info: GetInstanceInfoResponse }) {
  const { instance } = texts.value;
  const database = info.isDatabaseEmbedded ? instance.embedded : "PostgreSQL";
  return (
    <dl>
      <dt>{instance.id}</dt>
      <dd>
        <Copyable text={info.instanceId} />
      </dd>
      <dt>Signet</dt>
      <dd>{info.version}</dd>
      <dt>Node.js</dt>
      <dd>{info.nodeVersion}</dd>
      <dt>{database}</dt>
      <dd>{info.databaseVersion}</dd>
      <dt>{instance.migration}</dt>
      <dd>
        <code>{info.latestMigration}</code>
      </dd>
    </dl>
  );
}

/** The variables in effect. What is not set is shown too, so that its name can be found. */
function SettingsSection({ info }: { info: GetInstanceInfoResponse }) {
  const { instance } = texts.value;
  return (
    <Section title={instance.settings}>
      <p class="quiet">{instance.settingsText}</p>
      <ul class="rows settings">
        {info.settings.map(({ name, value }) => (
          <li key={name}>
            <code class="name">{name}</code>
            <span class="value">{value || <span class="quiet">{instance.notSet}</span>}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
