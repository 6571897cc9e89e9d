import { useState } from "preact/hooks";
import type { API } from "../../../gen/signet/v1/api_pb.js";
import { inOrg } from "../../api/api.ts";
import { StaleError } from "../../api/problem.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "../user/section.tsx";
import { ApiForm, type ApiValues } from "./api-form.tsx";

export function ApiPage({ orgId, id }: { orgId: string; id: string }) {
  const { api } = useSession();
  const { apis, orgs, actions } = texts.value;
  const permissions = usePermissions(orgId).value;
  const [isAsking, setAsking] = useState(false);
  const found = useLoad(`api ${orgId} ${id}`, async (signal) => {
    return (await api.management.getAPIByID({ id }, inOrg(orgId, signal))).api;
  });
  const value = found.value;
  const back = (
    <a class="back" href={toPath({ page: "apis", orgId })}>
      {apis.title}
    </a>
  );
  if (value === undefined || permissions === undefined) {
    return (
      <Page title={apis.api} tools={back}>
        <ProblemNote problem={found.problem} onRetry={found.reload} />
        {found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      </Page>
    );
  }
  const mayChange = permissions.can("org.app.write");
  const stored = toValues(value);
  return (
    <Page title={value.name} tools={back}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <dl>
        <dt>{apis.identifier}</dt>
        <dd>
          <Copyable text={value.identifier} />
        </dd>
        <dt>{orgs.id}</dt>
        <dd>
          <Copyable text={value.id} />
        </dd>
        <dt>{orgs.created}</dt>
        <dd>
          <Time at={value.details?.creationDate} />
        </dd>
      </dl>
      {mayChange && (
        <div class="buttons">
          <button type="button" class="secondary danger" onClick={() => setAsking(true)}>
            {actions.remove}
          </button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`${actions.remove}: ${value.name}`}
          button={actions.remove}
          isDangerous
          change={() => api.management.removeAPI({ id }, inOrg(orgId))}
          onDone={() => go(toPath({ page: "apis", orgId }))}
          onClose={() => setAsking(false)}
        >
          <p>{apis.removeText}</p>
        </ConfirmDialog>
      )}
      <Section title={apis.settings}>
        <ApiForm
          key={JSON.stringify(stored)}
          orgId={orgId}
          stored={stored}
          mayChange={mayChange}
          save={async ({ identifier: _, ...values }) => {
            // The call replaces all settings but the identifier.
            const { api: latest } = await api.management.getAPIByID({ id }, inOrg(orgId));
            if (latest && JSON.stringify(toValues(latest)) !== JSON.stringify(stored)) {
              throw new StaleError(apis.stale);
            }
            await api.management.updateAPI({ id, ...values }, inOrg(orgId));
          }}
          onSaved={found.reload}
        />
      </Section>
    </Page>
  );
}

function toValues({ name, identifier, scopes, introspectorAppIds }: API): ApiValues {
  return { name, identifier, scopes, introspectorAppIds };
}
