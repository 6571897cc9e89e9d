import type { ComponentChildren } from "preact";
import { EmailRoute, type GetInstanceInfoResponse } from "../../../gen/signet/v1/instance_pb.js";
import { UserMessageChannel } from "../../../gen/signet/v1/user_message_pb.js";
import { formatCount } from "../../parts/count.ts";
import { Time } from "../../parts/time.tsx";
import { texts } from "../../state/language.ts";
import { Section } from "../user/section.tsx";

interface HealthSectionProps {
  readonly info: GetInstanceInfoResponse;
  readonly onReload: () => void;
}

/** Whether the parts of the service do their work. The call itself has reached the service and its database. */
export function HealthSection({ info, onReload }: HealthSectionProps) {
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
        <button type="button" class="secondary" onClick={onReload}>
          {instance.check}
        </button>
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
