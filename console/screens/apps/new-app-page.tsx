import { useState } from "preact/hooks";
import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Field } from "../../parts/field.tsx";
import { Back, Page } from "../../parts/screen.tsx";
import { Steps } from "../../parts/steps.tsx";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { keyOf } from "../../state/tables.ts";
import { type Form, useForm } from "../../state/use-form.ts";
import { RedirectFields } from "./addresses-form.tsx";
import { MachineField } from "./app-form.tsx";
import { type AddedApp, Connection } from "./connection.tsx";
import { KIND_NAMES, KINDS, type Kind } from "./kinds.ts";

const NO_URIS: string[] = [];
const EMPTY = { name: "", redirectUris: NO_URIS, postLogoutRedirectUris: NO_URIS, devMode: false, serviceUserId: "" };

/**
 * Adds an application in three steps: its kind, its addresses, and what the developer needs. What was entered stays when
 * another kind is chosen.
 */
export function NewAppPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const { apps } = texts.value;
  const kind = keyOf(KINDS, search.value.get("kind"));
  const [added, setAdded] = useState<AddedApp>();
  const form = useForm({
    stored: EMPTY,
    async save({ name, serviceUserId, ...addresses }) {
      const chosen = kind ?? "web";
      const { appType, authMethodType, grantTypes } = KINDS[chosen];
      const settings = { appType, authMethodType, grantTypes: [...grantTypes] };
      const request = { name, ...settings, ...(chosen === "service" ? { serviceUserId } : addresses) };
      const { clientId, clientSecret } = await management.addOIDCApp(request);
      return { name, kind: chosen, clientId, clientSecret, redirectUri: addresses.redirectUris[0] ?? "" };
    },
    done: ({ name }) => texts.value.done.added(name),
    onSaved: setAdded,
  });
  const step = added ? 2 : kind ? 1 : 0;
  return (
    <Page title={apps.add} tools={<Back title={apps.title} path={toPath({ page: "apps", orgId })} />}>
      <Steps
        names={[apps.steps.kind, apps.steps.addresses, apps.steps.connect]}
        current={step}
        firstPath={added ? undefined : toPath({ page: "app", orgId, id: NEW })}
      />
      {added ? (
        <AddedPart orgId={orgId} app={added} />
      ) : kind ? (
        <NewAppForm orgId={orgId} kind={kind} form={form} />
      ) : (
        <KindChoice orgId={orgId} />
      )}
    </Page>
  );
}

/** The first step: where the application runs. */
function KindChoice({ orgId }: { orgId: string }) {
  const { apps } = texts.value;
  // The application gets tokens for a machine user, and so can do what that user can.
  const mayAddServices = useMay(orgId, "user.write");
  return (
    <ul class="cards large">
      {KIND_NAMES.filter((kind) => kind !== "service" || mayAddServices).map((kind) => (
        <li key={kind}>
          <a href={`${toPath({ page: "app", orgId, id: NEW })}?kind=${kind}`}>
            <strong>{apps.kinds[kind].name}</strong>
            <span>{apps.kinds[kind].meaning}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The second step: the name of the application, and where the browser returns to. */
function NewAppForm({ orgId, kind, form }: { orgId: string; kind: Kind; form: Form<typeof EMPTY> }) {
  const { apps, orgs, colon } = texts.value;
  return (
    <EditForm form={form} button={apps.add} backPath={toPath({ page: "app", orgId, id: NEW })}>
      <p class="quiet">
        {apps.kinds[kind].name}
        {colon} {apps.kinds[kind].meaning}
      </p>
      <Field label={orgs.name} hint={apps.nameHint} {...form.field("name")} isRequired />
      {kind === "service" ? (
        <MachineField orgId={orgId} {...form.field("serviceUserId")} />
      ) : (
        <>
          <RedirectFields kind={kind} form={form} />
          <Check label={apps.devMode} hint={apps.devModeHint} {...form.field("devMode")} />
        </>
      )}
    </EditForm>
  );
}

/** The third step: what the developer needs. */
function AddedPart({ orgId, app }: { orgId: string; app: AddedApp }) {
  const { apps } = texts.value;
  return (
    <>
      <p>{apps.added(app.name)}</p>
      <Connection app={app} />
      <div class="buttons">
        <a class="button" href={toPath({ page: "app", orgId, id: app.clientId })}>
          {apps.toApp}
        </a>
      </div>
    </>
  );
}
