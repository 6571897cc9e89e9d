import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { texts } from "../../state/language.ts";
import { useForm } from "../../state/use-form.ts";
import { KINDS, type ProviderKind } from "./kinds.ts";
import { OptionsFields } from "./options-fields.tsx";
import { ProviderField } from "./provider-field.tsx";
import type { FieldName, ProviderValues } from "./provider-values.ts";

interface ProviderFormProps {
  readonly kind: ProviderKind;
  readonly stored: ProviderValues;
  readonly isNew?: boolean;
  readonly mayChange: boolean;
  readonly mayTrust: boolean;
  readonly save: (values: ProviderValues) => Promise<unknown>;
  readonly onSaved?: () => void;
}

/** The settings of a provider of a kind. */
export function ProviderForm({ kind, stored, isNew = false, mayChange, mayTrust, save, onSaved }: ProviderFormProps) {
  const { idps, orgs } = texts.value;
  const form = useForm(stored);
  const all: readonly FieldName[] = KINDS[kind].fields;
  const fields = all.filter((name) => name !== "trustEmail" || mayTrust);
  return (
    <EditForm
      isChanged={form.changed.length > 0}
      isOffered={mayChange}
      save={() => save(form.values)}
      onSaved={() => onSaved?.()}
      onReset={form.reset}
      fields={["name", ...fields.map(pathOf)]}
      {...(isNew && { button: idps.add })}
    >
      {(problem) => (
        <>
          <Field
            label={orgs.name}
            hint={idps.nameHint}
            value={form.values.name}
            onInput={(name) => form.set({ name })}
            problem={problem}
            path="name"
            isRequired
            isReadOnly={!mayChange}
          />
          {fields.map((name) => (
            <ProviderField
              key={name}
              name={name}
              form={form}
              problem={problem}
              path={pathOf(name)}
              isNew={isNew}
              isReadOnly={!mayChange}
            />
          ))}
          <OptionsFields form={form} isReadOnly={!mayChange} />
        </>
      )}
    </EditForm>
  );
}

/** The path of a setting in the requests. */
function pathOf(name: string): string {
  return name === "tenantId" ? "tenant.tenantId" : name;
}
