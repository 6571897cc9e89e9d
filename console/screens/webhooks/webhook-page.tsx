import { useState } from "preact/hooks";
import { type Webhook, WebhookState } from "../../../gen/signet/v1/webhook_pb.js";
import { type Api, inOrg } from "../../api/api.ts";
import { StaleError } from "../../api/problem.ts";
import { ActiveState } from "../../parts/active-state.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { SecretNote } from "../../parts/secret-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { Missing } from "../missing.tsx";
import { Section } from "../user/section.tsx";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { WebhookForm, type WebhookValues } from "./webhook-form.tsx";

export function WebhookPage({ orgId, id }: { orgId: string; id: string }) {
  const { api } = useSession();
  const { webhooks, orgs } = texts.value;
  const permissions = usePermissions(orgId).value;
  const found = useLoad(`webhook ${orgId} ${id}`, (signal) => findWebhook(api, orgId, id, signal));
  const webhook = found.value;
  const back = (
    <a class="back" href={toPath({ page: "webhooks", orgId })}>
      {webhooks.title}
    </a>
  );
  if (found.isCurrent && found.problem === undefined && webhook === undefined) return <Missing />;
  if (webhook === undefined || permissions === undefined) {
    return (
      <Page title={webhooks.webhook} tools={back}>
        <ProblemNote problem={found.problem} onRetry={found.reload} />
        {found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      </Page>
    );
  }
  const mayChange = permissions.can("org.hook.write");
  const stored = toValues(webhook);
  return (
    <Page title={webhook.name} tools={back}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <dl>
        <dt>{orgs.state}</dt>
        <dd>
          <ActiveState isActive={webhook.state === WebhookState.ACTIVE} />
        </dd>
        <dt>{orgs.id}</dt>
        <dd>
          <Copyable text={webhook.id} />
        </dd>
        <dt>{orgs.created}</dt>
        <dd>
          <Time at={webhook.details?.creationDate} />
        </dd>
      </dl>
      {mayChange && <WebhookActions orgId={orgId} webhook={webhook} onChanged={found.reload} />}
      <DeliveriesSection orgId={orgId} id={id} mayRetry={mayChange} isActive={webhook.state === WebhookState.ACTIVE} />
      <Section title={webhooks.settings}>
        <WebhookForm
          key={JSON.stringify(stored)}
          stored={stored}
          mayChange={mayChange}
          save={async (values) => {
            // The call replaces all settings.
            const latest = await findWebhook(api, orgId, id);
            if (latest && JSON.stringify(toValues(latest)) !== JSON.stringify(stored)) {
              throw new StaleError(webhooks.stale);
            }
            await api.management.updateWebhook({ id, ...values }, inOrg(orgId));
          }}
          onSaved={found.reload}
        />
      </Section>
    </Page>
  );
}

/** There are at most 20, and no call for a single one. */
async function findWebhook(api: Api, orgId: string, id: string, signal?: AbortSignal): Promise<Webhook | undefined> {
  const { result } = await api.management.listWebhooks({}, inOrg(orgId, signal));
  return result.find((webhook) => webhook.id === id);
}

function toValues({ name, url, eventTypes, includesPayload }: Webhook): WebhookValues {
  return { name, url, eventTypes, includesPayload };
}

type Action = "newKey" | "deactivate" | "reactivate" | "remove";

interface WebhookActionsProps {
  readonly orgId: string;
  readonly webhook: Webhook;
  readonly onChanged: () => void;
}

function WebhookActions({ orgId, webhook: { id, name, state }, onChanged }: WebhookActionsProps) {
  const { api } = useSession();
  const { webhooks } = texts.value;
  const [action, setAction] = useState<Action>();
  const [key, setKey] = useState("");
  const call = inOrg(orgId);
  const offered: readonly Action[] = ["newKey", state === WebhookState.ACTIVE ? "deactivate" : "reactivate", "remove"];
  const changes: Readonly<Record<Action, () => Promise<unknown>>> = {
    newKey: async () => setKey((await api.management.rotateWebhookSigningKey({ id }, call)).signingKey),
    deactivate: () => api.management.deactivateWebhook({ id }, call),
    reactivate: () => api.management.reactivateWebhook({ id }, call),
    remove: () => api.management.removeWebhook({ id }, call),
  };
  return (
    <>
      {key && <SecretNote label={webhooks.signingKey} secret={key} />}
      <div class="buttons">
        {offered.map((each) => (
          <button
            key={each}
            type="button"
            class={each === "remove" ? "secondary danger" : "secondary"}
            onClick={() => setAction(each)}
          >
            {webhooks.actions[each].label}
          </button>
        ))}
        {action && (
          <ConfirmDialog
            title={`${webhooks.actions[action].label}: ${name}`}
            button={webhooks.actions[action].label}
            isDangerous={action === "remove" || action === "deactivate"}
            change={changes[action]}
            onDone={() => {
              setAction(undefined);
              if (action === "remove") go(toPath({ page: "webhooks", orgId }));
              else onChanged();
            }}
            onClose={() => setAction(undefined)}
          >
            <p>{webhooks.actions[action].text}</p>
          </ConfirmDialog>
        )}
      </div>
    </>
  );
}
