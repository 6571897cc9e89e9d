import { inOrg } from "../../api/api.ts";
import { Check } from "../../parts/check.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { itemsOf, ListField } from "../../parts/list-field.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";

/** More applications than an API is checked by. */
const SHOWN = 100;

/** The settings of an API. */
export interface ApiValues {
  readonly name: string;
  readonly identifier: string;
  readonly scopes: readonly string[];
  readonly introspectorAppIds: readonly string[];
}

interface ApiFormProps {
  readonly orgId: string;
  readonly stored: ApiValues;
  readonly isNew?: boolean;
  readonly mayChange: boolean;
  readonly save: (values: {
    name: string;
    identifier: string;
    scopes: string[];
    introspectorAppIds: string[];
  }) => Promise<unknown>;
  readonly onSaved: () => void;
}

export function ApiForm({ orgId, stored, isNew = false, mayChange, save, onSaved }: ApiFormProps) {
  const { api } = useSession();
  const { apis, orgs } = texts.value;
  const form = useForm(stored);
  const { values } = form;
  const found = useLoad(`apps of apis ${orgId}`, async (signal) => {
    return (await api.management.listApps({ query: { asc: true, limit: SHOWN } }, inOrg(orgId, signal))).result;
  });
  const listed = found.value ?? [];
  const others = values.introspectorAppIds.filter((id) => listed.every((app) => app.id !== id));
  const apps = [...listed, ...others.map((id) => ({ id, name: id }))];
  const toggle = (id: string, isOn: boolean) =>
    form.set({
      introspectorAppIds: isOn
        ? [...values.introspectorAppIds, id]
        : values.introspectorAppIds.filter((each) => each !== id),
    });
  return (
    <EditForm
      isChanged={form.changed.length > 0}
      isOffered={mayChange}
      save={() => {
        const scopes = itemsOf(values.scopes);
        // Errors are reported by the positions in the request.
        form.set({ scopes });
        return save({ ...values, scopes, introspectorAppIds: [...values.introspectorAppIds] });
      }}
      onSaved={onSaved}
      onReset={form.reset}
      fields={["name", "identifier", "scopes"]}
      {...(isNew && { button: apis.add })}
    >
      {(problem) => (
        <>
          <Field
            label={orgs.name}
            value={values.name}
            onInput={(name) => form.set({ name })}
            problem={problem}
            path="name"
            isRequired
            isReadOnly={!mayChange}
          />
          <Field
            label={apis.identifier}
            hint={apis.identifierHint}
            value={values.identifier}
            onInput={(identifier) => form.set({ identifier })}
            problem={problem}
            path="identifier"
            isRequired
            isReadOnly={!isNew}
          />
          <ListField
            label={apis.scopes}
            hint={apis.scopesHint}
            values={values.scopes}
            onChange={(scopes) => form.set({ scopes })}
            problem={problem}
            path="scopes"
            isReadOnly={!mayChange}
            placeholder="orders:read"
          />
          <ProblemNote problem={found.problem} onRetry={found.reload} />
          {apps.length > 0 && (
            <fieldset class="group">
              <legend>{apis.introspectors}</legend>
              <p class="hint">{apis.introspectorsHint}</p>
              {apps.map(({ id, name }) => (
                <Check
                  key={id}
                  label={name}
                  isOn={values.introspectorAppIds.includes(id)}
                  onChange={(isOn) => toggle(id, isOn)}
                  isReadOnly={!mayChange}
                />
              ))}
            </fieldset>
          )}
        </>
      )}
    </EditForm>
  );
}
