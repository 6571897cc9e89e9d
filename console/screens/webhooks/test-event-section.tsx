import { useState } from "preact/hooks";
import type { CheckWebhookResponse } from "../../../gen/signet/v1/webhook_pb.js";
import { ActionButton } from "../../parts/actions.tsx";
import { Select } from "../../parts/field.tsx";
import { Section } from "../../parts/screen.tsx";
import { CodeBlock, formatNumber } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { listWebhookTypes } from "./event-types-field.tsx";

interface TestEventProps {
  readonly orgId: string;
  readonly id: string;
  readonly url: string;
  /** The types that the webhook gets; empty for all. */
  readonly eventTypes: readonly string[];
}

/** Sends the webhook an event of any type, and shows what it has got and what it has said. */
export function TestEventSection({ orgId, id, url, eventTypes }: TestEventProps) {
  const { management } = useApi(orgId);
  const { webhooks } = texts.value;
  const [type, setType] = useState(eventTypes[0] ?? "user.human.added");
  const [checked, setChecked] = useState<CheckWebhookResponse>();
  const send = async () => {
    setChecked(undefined);
    setChecked(await management.checkWebhook({ id, eventType: type }));
  };
  const types = listWebhookTypes().map(({ type: each, words }) => [each, `${each} · ${words}`] as const);
  return (
    <Section title={webhooks.test}>
      <p class="hint">{webhooks.testHint}</p>
      <div class="fields">
        <Select label={webhooks.event} value={type} options={types} onInput={setType} />
      </div>
      <ActionButton label={webhooks.sendTest} done={() => undefined} change={send} />
      {checked && <Checked url={url} checked={checked} />}
    </Section>
  );
}

function Checked({ url, checked }: { url: string; checked: CheckWebhookResponse }) {
  const { webhooks } = texts.value;
  const { requestHeaders, requestBody, responseStatus, responseBody, error, durationMs } = checked;
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <p class="test-result" role="status">
        <span class={error === "" ? "state good" : "state error"}>
          {error === "" ? webhooks.states.sent : webhooks.states.failed}
        </span>{" "}
        {error || responseStatus} · {formatNumber(durationMs)} ms
      </p>
      <CodeBlock
        name={webhooks.request}
        text={[`POST ${url}`, ...headers, "", JSON.stringify(JSON.parse(requestBody), undefined, 2)].join("\n")}
      />
      {responseStatus > 0 && (
        <CodeBlock name={webhooks.response} text={[`${responseStatus}`, "", responseBody].join("\n").trim()} />
      )}
    </>
  );
}
