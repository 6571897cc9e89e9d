import { useState } from "preact/hooks";
import { WebhookState } from "../../../gen/signet/v1/webhook_pb.js";
import { ListScreen, useList } from "../../parts/list-screen.tsx";
import { Back, Page } from "../../parts/screen.tsx";
import { ActiveState, SecretNote } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { WebhookForm } from "./webhook-page.tsx";

export { WebhookPage } from "./webhook-page.tsx";

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
