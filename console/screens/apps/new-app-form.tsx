import { inOrg } from "../../api/api.ts";
import { Check } from "../../parts/check.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { itemsOf } from "../../parts/list-field.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useForm } from "../../state/use-form.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { MachineField } from "./machine-field.tsx";
import { UrisField } from "./uris-field.tsx";

/** A new application, with its secret. */
export interface AddedApp {
  readonly name: string;
  readonly clientId: string;
  /** Empty for an application that has none. */
  readonly clientSecret: string;
  readonly redirectUri: string;
}

interface NewAppFormProps {
  readonly orgId: string;
  readonly kind: Kind;
  readonly onAdded: (app: AddedApp) => void;
}

const EMPTY = {
  name: "",
  redirectUris: [] as readonly string[],
  postLogoutRedirectUris: [] as readonly string[],
  devMode: false,
  serviceUserId: "",
};

/** The second step: the name of the application, and where the browser returns to. */
export function NewAppForm({ orgId, kind, onAdded }: NewAppFormProps) {
  const { api } = useSession();
  const { apps, orgs } = texts.value;
  const form = useForm(EMPTY);
  const { values } = form;
  const isService = kind === "service";

  async function save() {
    const redirectUris = itemsOf(values.redirectUris);
    const postLogoutRedirectUris = itemsOf(values.postLogoutRedirectUris);
    // Errors are reported by the positions in the request.
    form.set({ redirectUris, postLogoutRedirectUris });
    const { appType, authMethodType, grantTypes } = KINDS[kind];
    const { name, devMode, serviceUserId } = values;
    const { clientId, clientSecret } = await api.management.addOIDCApp(
      {
        ...{ name, devMode, serviceUserId, redirectUris, postLogoutRedirectUris },
        ...{ appType, authMethodType, grantTypes: [...grantTypes] },
      },
      inOrg(orgId),
    );
    onAdded({ name, clientId, clientSecret, redirectUri: redirectUris[0] ?? "" });
  }

  return (
    <EditForm
      isChanged={form.changed.length > 0}
      isOffered
      save={save}
      onSaved={() => {}}
      onReset={form.reset}
      fields={["name", "redirectUris", "postLogoutRedirectUris", "serviceUserId"]}
      button={apps.add}
    >
      {(problem) => (
        <>
          <Field
            label={orgs.name}
            hint={apps.nameHint}
            value={values.name}
            onInput={(name) => form.set({ name })}
            problem={problem}
            path="name"
            isRequired
          />
          {isService ? (
            <MachineField
              orgId={orgId}
              value={values.serviceUserId}
              onChange={(serviceUserId) => form.set({ serviceUserId })}
              problem={problem}
            />
          ) : (
            <>
              <UrisField
                label={apps.redirectUris}
                hint={apps.redirectUrisHint}
                kind={kind}
                devMode={values.devMode}
                values={values.redirectUris}
                onChange={(redirectUris) => form.set({ redirectUris })}
                problem={problem}
                path="redirectUris"
              />
              <UrisField
                label={apps.signOutUris}
                kind={kind}
                devMode={values.devMode}
                values={values.postLogoutRedirectUris}
                onChange={(postLogoutRedirectUris) => form.set({ postLogoutRedirectUris })}
                problem={problem}
                path="postLogoutRedirectUris"
              />
              <Check
                label={apps.devMode}
                hint={apps.devModeHint}
                isOn={values.devMode}
                onChange={(devMode) => form.set({ devMode })}
              />
            </>
          )}
        </>
      )}
    </EditForm>
  );
}
