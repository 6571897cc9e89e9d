import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import type { Event } from "../../../gen/signet/v1/event_pb.js";
import { type Webhook, type WebhookDelivery, WebhookDeliveryState } from "../../../gen/signet/v1/webhook_pb.js";
import { ActionButton, Dialog, DialogButtons } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { Chips, List, useList } from "../../parts/list-screen.tsx";
import { ProblemNote, Section, Skeleton } from "../../parts/screen.tsx";
import { CodeBlock, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { useApi } from "../../state/session.ts";
import { keyOf, namesOf } from "../../state/tables.ts";
import { useLoad } from "../../state/use-load.ts";

/** The states of a delivery, with their numbers in the API and their colors. */
const STATES = {
  waiting: { state: WebhookDeliveryState.WAITING, color: "" },
  sending: { state: WebhookDeliveryState.SENDING, color: "" },
  sent: { state: WebhookDeliveryState.SENT, color: "good" },
  failed: { state: WebhookDeliveryState.FAILED, color: "error" },
} as const;

const STATE_NAMES = namesOf(STATES);

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

interface DeliveryDialogProps extends Omit<DeliveriesProps, "mayRetry"> {
  readonly delivery: WebhookDelivery;
  readonly onClose: () => void;
}

/** What is sent to the webhook, and what became of the last attempt. */
function DeliveryDialog({ orgId, webhook, delivery, onClose }: DeliveryDialogProps) {
  const { management } = useApi(orgId);
  const { webhooks } = texts.value;
  const { aggregateId, sequence, id } = delivery;
  const found = useLoad(`delivery ${id}`, async (signal) => {
    const request = { aggregateId, sequence: sequence + 1n, limit: 1 };
    return (await management.listEvents(request, { signal })).events;
  });
  const event = found.value?.find((each) => each.sequence === sequence);
  return (
    <Dialog title={delivery.eventType} onClose={onClose}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value === undefined && found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      {found.value && event === undefined && <p class="quiet">{webhooks.eventHidden}</p>}
      {event && <CodeBlock name={webhooks.request} text={toRequest(webhook, delivery, event)} />}
      <p>
        <strong>{webhooks.response}</strong>
        <br />
        {delivery.lastError || (delivery.endDate ? webhooks.accepted : webhooks.noResponse)}{" "}
        {delivery.endDate && <Time at={delivery.endDate} />}
      </p>
      <DialogButtons onClose={onClose} />
    </Dialog>
  );
}

/** As the service sends it; the time and the signature are others in each attempt. */
function toRequest({ url, includesPayload }: Webhook, { id }: WebhookDelivery, event: Event): string {
  const { type, creationDate, sequence, aggregate, editor, payload } = event;
  const body = {
    type: type?.type,
    timestamp: creationDate && timestampDate(creationDate).toISOString(),
    data: {
      sequence: String(sequence),
      aggregate: aggregate && { id: aggregate.id, type: aggregate.type?.type, resourceOwner: aggregate.resourceOwner },
      ...(editor && { editor: { userId: editor.userId } }),
      ...(includesPayload && payload && { payload }),
    },
  };
  const headers = ["content-type: application/json", "user-agent: signet", `webhook-id: ${id}`];
  return [`POST ${url}`, ...headers, "", JSON.stringify(body, undefined, 2)].join("\n");
}
