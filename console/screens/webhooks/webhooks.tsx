import { useState } from "preact/hooks";
import { type CheckWebhookResponse, type Webhook, WebhookState } from "../../../gen/signet/v1/webhook_pb.js";
import type { Api } from "../../api/api.ts";
import { ActionButton, Actions, removalOf, switchOf } from "../../parts/actions.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { findTypes, toChoice } from "../../parts/event-types.ts";
import { Check, Field } from "../../parts/field.tsx";
import { ListScreen, useList } from "../../parts/list-screen.tsx";
import { PickField } from "../../parts/pick-field.tsx";
import { Back, Facts, type ItemPart, ItemScreen, Missing, Page, Section } from "../../parts/screen.tsx";
import { ActiveState, CodeBlock, Copyable, formatNumber, SecretNote, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { pick } from "../../state/tables.ts";
import { type FormOptions, useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { EventTypesField, listWebhookTypes } from "./event-types-field.tsx";

/** The webhooks of an organization, of which there are at most 20. */
export function WebhooksPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const { webhooks, orgs } = texts.value;
  const mayChange = useMay(orgId, "org.hook.write");
  const found = useList(`webhooks ${orgId}`, (query, signal) => management.listWebhooks({ query }, { signal }));
  return (
    <ListScreen
      title={webhooks.title}
      found={found}
      keyOf={({ id }) => id}
      none={{ text: webhooks.none }}
      add={mayChange && { label: webhooks.add, to: toPath({ page: "webhook", orgId, id: NEW }) }}
      columns={[
        [orgs.name, ({ id, name }) => <a href={toPath({ page: "webhook", orgId, id })}>{name}</a>],
        [orgs.state, ({ state }) => <ActiveState isActive={state === WebhookState.ACTIVE} />],
        [webhooks.url, ({ url }) => url],
        [webhooks.eventTypes, ({ eventTypes }) => eventTypes.join(", ") || webhooks.allEvents],
      ]}
    />
  );
}

/** Adds a webhook, and shows its signing key once. */
export function NewWebhookPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const { webhooks } = texts.value;
  const [added, setAdded] = useState<{ id: string; signingKey: string }>();
  return (
    <Page title={webhooks.add} tools={<Back title={webhooks.title} path={toPath({ page: "webhooks", orgId })} />}>
      {added ? (
        <>
          <SecretNote label={webhooks.signingKey} secret={added.signingKey} />
          <p>{webhooks.added}</p>
          <div class="buttons">
            <a class="button" href={toPath({ page: "webhook", orgId, id: added.id })}>
              {webhooks.toWebhook}
            </a>
          </div>
        </>
      ) : (
        <WebhookForm
          stored={{ name: "", url: "", eventTypes: [], includesPayload: false }}
          button={webhooks.add}
          save={(values) => management.addWebhook(values)}
          onSaved={setAdded}
        />
      )}
    </Page>
  );
}

export function WebhookPage({ orgId, id }: { orgId: string; id: string }) {
  const { management } = useApi(orgId);
  const { webhooks } = texts.value;
  const found = useLoad(`webhook ${orgId} ${id}`, (signal) => findWebhook(management, id, signal));
  if (found.isCurrent && found.problem === undefined && found.value === undefined) return <Missing />;
  const list = { title: webhooks.title, path: toPath({ page: "webhooks", orgId }) };
  return (
    <ItemScreen orgId={orgId} kind={webhooks.webhook} list={list} found={found} nameOf={({ name }) => name}>
      {(webhook, { can }) => (
        <Parts orgId={orgId} webhook={webhook} mayChange={can("org.hook.write")} onChanged={found.reload} />
      )}
    </ItemScreen>
  );
}

/** There are at most 20, and no call for a single one. */
async function findWebhook(management: Api["management"], id: string, signal?: AbortSignal) {
  const { result } = await management.listWebhooks({}, signal && { signal });
  return result.find((webhook) => webhook.id === id);
}

interface PartsProps extends ItemPart {
  readonly webhook: Webhook;
}

function Parts({ orgId, webhook, mayChange, onChanged }: PartsProps) {
  const { management } = useApi(orgId);
  const { webhooks, orgs } = texts.value;
  const { id, state, details } = webhook;
  return (
    <>
      <Facts
        facts={[
          [orgs.state, <ActiveState isActive={state === WebhookState.ACTIVE} />],
          [orgs.id, <Copyable text={id} />],
          [orgs.created, <Time at={details?.creationDate} />],
        ]}
      />
      {mayChange && <WebhookActions orgId={orgId} webhook={webhook} onChanged={onChanged} />}
      {mayChange && <TestEventSection orgId={orgId} webhook={webhook} />}
      <DeliveriesSection orgId={orgId} webhook={webhook} mayRetry={mayChange} />
      <Section title={webhooks.settings}>
        <WebhookForm
          {...{ stored: pick(webhook, NAMES), isReadOnly: !mayChange, onSaved: onChanged }}
          latest={() => findWebhook(management, id)}
          save={(values) => management.updateWebhook({ id, ...values })}
        />
      </Section>
    </>
  );
}

const NAMES = ["name", "url", "eventTypes", "includesPayload"] as const;

type WebhookValues = Pick<Webhook, (typeof NAMES)[number]>;

function WebhookActions({ orgId, webhook: { id, name, state }, onChanged }: Omit<PartsProps, "mayChange">) {
  const { management } = useApi(orgId);
  const { webhooks, done } = texts.value;
  const { actions, signingKey } = webhooks;
  const [key, setKey] = useState("");
  const newKey = async () => setKey((await management.rotateWebhookSigningKey({ id })).signingKey);
  const offered = [
    { ...actions.newKey, change: newKey, done: done.added(signingKey) },
    switchOf(name, state === WebhookState.ACTIVE, {
      deactivate: { ...actions.deactivate, change: () => management.deactivateWebhook({ id }) },
      reactivate: { ...actions.reactivate, change: () => management.reactivateWebhook({ id }) },
    }),
    removalOf({
      ...{ ...actions.remove, of: name, path: toPath({ page: "webhooks", orgId }) },
      change: () => management.removeWebhook({ id }),
    }),
  ];
  return (
    <>
      {key && <SecretNote label={signingKey} secret={key} />}
      <Actions of={name} actions={offered} onDone={onChanged} />
    </>
  );
}

function WebhookForm<Saved>({ button, ...options }: FormOptions<WebhookValues, Saved> & { button?: string }) {
  const { webhooks, orgs } = texts.value;
  const form = useForm(options);
  return (
    <EditForm form={form} button={button}>
      <Field label={orgs.name} {...form.field("name")} isRequired />
      <Field label={webhooks.url} hint={webhooks.urlHint} {...form.field("url")} isRequired />
      <EventTypesField {...form.field("eventTypes")} />
      <Check label={webhooks.payload} hint={webhooks.payloadHint} {...form.field("includesPayload")} />
    </EditForm>
  );
}

/** Sends the webhook an event of any type, and shows what it has got and what it has said. */
function TestEventSection({ orgId, webhook: { id, url, eventTypes } }: Pick<PartsProps, "orgId" | "webhook">) {
  const { management } = useApi(orgId);
  const { webhooks } = texts.value;
  const [type, setType] = useState(eventTypes[0] ?? "user.human.added");
  const [checked, setChecked] = useState<CheckWebhookResponse>();
  const send = async () => {
    setChecked(undefined);
    setChecked(await management.checkWebhook({ id, eventType: type }));
  };
  const types = listWebhookTypes();
  return (
    <Section title={webhooks.test}>
      <p class="hint">{webhooks.testHint}</p>
      <PickField
        label={webhooks.event}
        id="types"
        chosen={types.filter((each) => each.type === type).map(toChoice)}
        find={async (text) => findTypes(types, text).map(toChoice)}
        onPick={({ value }) => setType(value)}
        onRemove={() => setType("")}
      />
      {type !== "" && <ActionButton label={webhooks.sendTest} done={() => undefined} change={send} />}
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
