import { useState } from "preact/hooks";
import { WebhookState } from "../../../gen/signet/v1/webhook_pb.js";
import { inOrg } from "../../api/api.ts";
import { ActiveState } from "../../parts/active-state.tsx";
import { Blank } from "../../parts/blank.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { SecretNote } from "../../parts/secret-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { TableArea } from "../../parts/table-area.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { usePermissions } from "../../state/permissions.ts";
import { NEW, toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { WebhookForm } from "./webhook-form.tsx";

/** The webhooks of an organization, of which there are at most 20. */
export function WebhooksPage({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { webhooks, orgs } = texts.value;
  const mayChange = usePermissions(orgId).value?.can("org.hook.write") ?? false;
  const found = useLoad(`webhooks ${orgId}`, async (signal) => {
    return (await api.management.listWebhooks({ query: { asc: true } }, inOrg(orgId, signal))).result;
  });
  const { value } = found;
  const add = (
    <a class="button" href={toPath({ page: "webhook", orgId, id: NEW })}>
      {webhooks.add}
    </a>
  );
  return (
    <Page title={webhooks.title} tools={mayChange && add}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value === undefined && found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      {value?.length === 0 && <Blank text={webhooks.none} />}
      {value && value.length > 0 && (
        <TableArea label={webhooks.title} isCurrent={found.isCurrent}>
          <table>
            <thead>
              <tr>
                <th scope="col">{orgs.name}</th>
                <th scope="col">{orgs.state}</th>
                <th scope="col">{webhooks.url}</th>
                <th scope="col">{webhooks.eventTypes}</th>
              </tr>
            </thead>
            <tbody>
              {value.map(({ id, name, state, url, eventTypes }) => (
                <tr key={id}>
                  <th scope="row">
                    <a href={toPath({ page: "webhook", orgId, id })}>{name}</a>
                  </th>
                  <td>
                    <ActiveState isActive={state === WebhookState.ACTIVE} />
                  </td>
                  <td>{url}</td>
                  <td>{eventTypes.length === 0 ? webhooks.allEvents : eventTypes.join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableArea>
      )}
    </Page>
  );
}

/** Adds a webhook, and shows its signing key once. */
export function NewWebhookPage({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { webhooks } = texts.value;
  const [added, setAdded] = useState<{ id: string; signingKey: string }>();
  return (
    <Page
      title={webhooks.add}
      tools={
        <a class="back" href={toPath({ page: "webhooks", orgId })}>
          {webhooks.title}
        </a>
      }
    >
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
          mayChange
          button={webhooks.add}
          save={async (values) => setAdded(await api.management.addWebhook(values, inOrg(orgId)))}
          onSaved={() => {}}
        />
      )}
    </Page>
  );
}
