import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "../../../gen/signet/v1/event_pb.js";
import type { Webhook, WebhookDelivery } from "../../../gen/signet/v1/webhook_pb.js";
import { Dialog } from "../../parts/actions.tsx";
import { Button } from "../../parts/button.tsx";
import { ProblemNote, Skeleton } from "../../parts/screen.tsx";
import { CodeBlock, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";

interface DeliveryDialogProps {
  readonly orgId: string;
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
  readonly onClose: () => void;
}

/** What is sent to the webhook, and what became of the last attempt. */
export function DeliveryDialog({ orgId, webhook, delivery, onClose }: DeliveryDialogProps) {
  const { management } = useApi(orgId);
  const { webhooks, actions } = texts.value;
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
      <div class="buttons">
        <Button label={actions.close} onClick={onClose} />
      </div>
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
