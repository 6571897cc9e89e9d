import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";

interface SendLatestProps {
  readonly orgId: string;
  readonly id: string;
  readonly onDone: () => void;
}

/**
 * Tests the webhook with what it got last, because there are no events for tests: all others would get them too. The
 * receiver recognizes the event by its id.
 */
export function SendLatest({ orgId, id, onDone }: SendLatestProps) {
  const { api } = useSession();
  const { webhooks } = texts.value;
  const [isEmpty, setEmpty] = useState(false);
  const send = async () => {
    const { result } = await api.management.listWebhookDeliveries({ id, query: { limit: 1 } }, inOrg(orgId));
    const [latest] = result;
    setEmpty(latest === undefined);
    if (latest) await api.management.retryWebhookDelivery({ id, deliveryId: latest.id }, inOrg(orgId));
  };
  return (
    <>
      <ActionButton label={webhooks.sendLatest} change={send} onDone={onDone} />
      {isEmpty && (
        <span role="status" class="small">
          {webhooks.nothingToSend}
        </span>
      )}
    </>
  );
}
