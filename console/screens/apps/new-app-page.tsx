import { useState } from "preact/hooks";
import { Page } from "../../parts/page.tsx";
import { SecretNote } from "../../parts/secret-note.tsx";
import { Steps } from "../../parts/steps.tsx";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { KindChoice } from "./kind-choice.tsx";
import { isKind } from "./kinds.ts";
import { type AddedApp, NewAppForm } from "./new-app-form.tsx";
import { Snippets } from "./snippets/snippets.tsx";

/** Adds an application in three steps: its kind, its addresses, and what the developer needs. */
export function NewAppPage({ orgId }: { orgId: string }) {
  const { apps } = texts.value;
  const permissions = usePermissions(orgId).value;
  const given = search.value.get("kind");
  const kind = isKind(given) ? given : undefined;
  const [added, setAdded] = useState<AddedApp>();
  const hasSecret = added !== undefined && added.clientSecret !== "";
  const current = added ? 2 : kind ? 1 : 0;
  return (
    <Page title={apps.add}>
      <Steps names={[apps.steps.kind, apps.steps.addresses, apps.steps.connect]} current={current} />
      {kind === undefined && <KindChoice orgId={orgId} mayAddServices={permissions?.can("user.write") ?? false} />}
      {kind && added === undefined && <NewAppForm key={kind} orgId={orgId} kind={kind} onAdded={setAdded} />}
      {kind && added && (
        <>
          <p>{apps.added(added.name)}</p>
          {hasSecret && <SecretNote label={apps.clientSecret} secret={added.clientSecret} />}
          <Snippets kind={kind} app={added} />
          <div class="buttons">
            <a class="button" href={toPath({ page: "app", orgId, id: added.clientId })}>
              {apps.toApp}
            </a>
          </div>
        </>
      )}
    </Page>
  );
}
