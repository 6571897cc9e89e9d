import { useState } from "preact/hooks";
import { type Webhook, type WebhookDelivery, WebhookDeliveryState } from "../../../gen/signet/v1/webhook_pb.js";
import { ActionButton } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { Chips, List, useList } from "../../parts/list-screen.tsx";
import { keyOf } from "../../parts/parameters.ts";
import { Section } from "../../parts/screen.tsx";
import { Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { useApi } from "../../state/session.ts";
import { DeliveryDialog } from "./delivery-dialog.tsx";

/** The states of a delivery, with their numbers in the API and their colors. */
const STATES = {
  waiting: { state: WebhookDeliveryState.WAITING, color: "" },
  sending: { state: WebhookDeliveryState.SENDING, color: "" },
  sent: { state: WebhookDeliveryState.SENT, color: "good" },
  failed: { state: WebhookDeliveryState.FAILED, color: "error" },
} as const;

const STATE_NAMES = Object.keys(STATES) as readonly (keyof typeof STATES)[];

interface DeliveriesProps {
  readonly orgId: string;
  readonly webhook: Webhook;
  readonly mayRetry: boolean;
}

/** What was sent to the webhook, the latest first, and what became of it. */
export function DeliveriesSection({ orgId, webhook, mayRetry }: DeliveriesProps) {
  const { management } = useApi(orgId);
  const { webhooks, orgs, audit, users } = texts.value;
  const { id } = webhook;
  const [shown, setShown] = useState<WebhookDelivery>();
  const current = keyOf(STATES, search.value.get("state"));
  const filter = current && { state: STATES[current].state };
  const found = useList(
    `deliveries ${orgId} ${id} ${current}`,
    (query, signal) => management.listWebhookDeliveries({ id, query, ...filter }, { signal }),
    { asc: false },
  );
  const retry = (delivery: WebhookDelivery) =>
    nameOf(delivery) !== "sending" && (
      <ActionButton
        label={webhooks.retry}
        name={`${webhooks.retry}: ${delivery.eventType}`}
        done={webhooks.sentAgain}
        change={() => management.retryWebhookDelivery({ id, deliveryId: delivery.id })}
        onDone={found.reload}
      />
    );
  const details = (delivery: WebhookDelivery) => (
    <Button
      label={delivery.eventType}
      name={`${delivery.eventType}: ${audit.details}`}
      look="link"
      onClick={() => setShown(delivery)}
    />
  );
  return (
    <Section title={webhooks.deliveries}>
      <div class="tools">
        <Chips
          {...{ legend: users.filters, parameter: "state", names: STATE_NAMES, labels: webhooks.states, current }}
        />
        <Button label={webhooks.refresh} onClick={found.reload} />
      </div>
      <List
        label={webhooks.eventTypes}
        found={found}
        keyOf={(delivery) => delivery.id}
        none={<p class="quiet">{webhooks.noDeliveries}</p>}
        columns={[
          [webhooks.event, details],
          [webhooks.time, ({ creationDate }) => <Time at={creationDate} />],
          [orgs.state, (delivery) => <State {...delivery} />],
          [webhooks.attempts, ({ attempts }) => attempts],
          [webhooks.result, (delivery) => <Result {...delivery} />, { class: "wrap" }],
          mayRetry && [webhooks.retry, retry, { isSpoken: true }],
        ]}
      />
      {shown && <DeliveryDialog {...{ orgId, webhook }} delivery={shown} onClose={() => setShown(undefined)} />}
    </Section>
  );
}

function State(delivery: WebhookDelivery) {
  const name = nameOf(delivery);
  return <span class={`state ${STATES[name].color}`}>{texts.value.webhooks.states[name]}</span>;
}

function nameOf({ state }: WebhookDelivery) {
  return STATE_NAMES.find((name) => STATES[name].state === state) ?? "waiting";
}

function Result({ lastError, endDate, nextAttemptDate, attempts }: WebhookDelivery) {
  return (
    <>
      {lastError || (endDate && <Time at={endDate} />)}
      {nextAttemptDate && attempts > 0 && (
        <p class="small">
          {texts.value.webhooks.nextAttempt} <Time at={nextAttemptDate} />
        </p>
      )}
    </>
  );
}
