import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { ComponentChildren } from "preact";
import {
  EmailRoute,
  type GetInstanceInfoResponse,
  type InstanceKey,
  InstanceKeyState,
} from "../../../gen/signet/v1/instance_pb.js";
import { UserMessageChannel } from "../../../gen/signet/v1/user_message_pb.js";
import { Button } from "../../parts/button.tsx";
import { Facts, ItemScreen, Section } from "../../parts/screen.tsx";
import { Table } from "../../parts/table.tsx";
import { Copyable, formatCount, Time } from "../../parts/values.tsx";
import { language, texts } from "../../state/language.ts";
import { toPath } from "../../state/paths.ts";
import { useSession } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";

/** The state of the instance: versions, health, keys, and the configuration without secrets. */
export function InstanceScreen() {
  const { api } = useSession();
  const { instance, audit } = texts.value;
  const found = useLoad("instance", (signal) => api.admin.getInstanceInfo({}, { signal }));
  const events = <a href={toPath({ page: "instanceAudit" })}>{audit.allTitle}</a>;
  return (
    <ItemScreen kind={instance.title} tools={events} found={found}>
      {(info) => (
        <>
          <Facts
            facts={[
              [instance.id, <Copyable text={info.instanceId} />],
              ["Signet", info.version],
              ["Node.js", info.nodeVersion],
              [info.isDatabaseEmbedded ? instance.embedded : "PostgreSQL", info.databaseVersion],
              [instance.migration, <code>{info.latestMigration}</code>],
            ]}
          />
          <HealthSection info={info} onReload={found.reload} />
          <KeysSection keys={info.keys} />
          <SettingsSection info={info} />
        </>
      )}
    </ItemScreen>
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

/** Whether the parts of the service do their work. The call itself has reached the service and its database. */
function HealthSection({ info, onReload }: { info: GetInstanceInfoResponse; onReload: () => void }) {
  const { instance, messages } = texts.value;
  const { pendingMigrations: pending } = info;
  return (
    <Section title={instance.health}>
      <ul class="rows">
        <Check isGood label={instance.database}>
          {instance.reached}
        </Check>
        <Check isGood={pending.length === 0} label={instance.migrations}>
          {pending.length === 0 ? instance.allRun : `${instance.pending} ${pending.join(", ")}`}
        </Check>
        <Check isGood={info.emailRoute === EmailRoute.SMTP} label={messages.email}>
          {instance.routes[info.emailRoute]}
        </Check>
        {info.queues.map(({ channel, messages: count, oldestDate }) => (
          <Check
            key={channel}
            isGood={count === 0n}
            label={channel === UserMessageChannel.SMS ? instance.queuedSms : instance.queuedEmails}
          >
            {formatCount(count)}
            {oldestDate && (
              <span class="small">
                {" · "}
                {instance.oldest} <Time at={oldestDate} />
              </span>
            )}
          </Check>
        ))}
      </ul>
      <div class="buttons">
        <Button label={instance.check} onClick={onReload} />
      </div>
    </Section>
  );
}

function Check({ isGood, label, children }: { isGood: boolean; label: string; children: ComponentChildren }) {
  return (
    <li>
      <span class="term">{label}</span>
      <span class={isGood ? "value state good" : "value state"}>{children}</span>
    </li>
  );
}

const DAY_MS = 86_400_000;

/** The keys that sign tokens and encrypt secrets, and their age. */
function KeysSection({ keys }: { keys: readonly InstanceKey[] }) {
  const { instance } = texts.value;
  return (
    <Section title={instance.keys}>
      <Table
        label={instance.key}
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          [instance.key, ({ id }) => <code>{id}</code>],
          [instance.use, ({ algorithm }) => (algorithm === MASTER ? instance.encrypts : instance.signs(algorithm))],
          [
            instance.keyState,
            ({ state }) => (
              <span class={state === InstanceKeyState.CURRENT ? "state good" : "state"}>
                {instance.keyStates[state]}
              </span>
            ),
          ],
          [instance.created, ({ creationDate }) => <Time at={creationDate} />],
          [instance.age, ageOf],
        ]}
      />
      <p class="small">{instance.rotate}</p>
    </Section>
  );
}

const MASTER = "A256GCM";

/** Such as "3 days". */
function ageOf({ creationDate }: InstanceKey): string {
  if (creationDate === undefined) return "";
  const days = Math.max(0, Math.floor((Date.now() - timestampDate(creationDate).getTime()) / DAY_MS));
  return new Intl.NumberFormat(language.value, { style: "unit", unit: "day", unitDisplay: "long" }).format(days);
}
