import type { Problem } from "../../api/problem.ts";
import { Check } from "../../parts/check.tsx";
import { Field, Select, TextArea } from "../../parts/field.tsx";
import { texts } from "../../state/language.ts";
import type { Form } from "../../state/use-form.ts";
import { type FieldName, type ProviderValues, TENANTS } from "./provider-values.ts";

interface ProviderFieldProps {
  readonly name: FieldName;
  readonly form: Form<ProviderValues>;
  readonly problem: Problem | undefined;
  readonly path: string;
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
}

/** Settings without which a provider cannot be added. */
const REQUIRED: ReadonlySet<FieldName> = new Set([
  ...(["clientId", "clientSecret", "issuer", "authorizationEndpoint", "tokenEndpoint", "userEndpoint"] as const),
  ...(["idAttribute", "teamId", "keyId", "privateKey"] as const),
]);

/** One setting of a provider, as its kind of value needs. */
export function ProviderField({ name, form, problem, path, isNew, isReadOnly }: ProviderFieldProps) {
  const { idps } = texts.value;
  const { values, set } = form;
  const value = values[name];
  const { label, hint } = idps.fields[name] as { readonly label: string; readonly hint?: string };
  const setText = (text: string) => set({ [name]: text } as Partial<ProviderValues>);
  if (typeof value === "boolean") {
    return (
      <Check
        label={label}
        {...(hint && { hint })}
        isOn={value}
        onChange={(isOn) => set({ [name]: isOn } as Partial<ProviderValues>)}
        isReadOnly={isReadOnly}
      />
    );
  }
  const common = { label, hint, value, problem, path, isReadOnly, onInput: setText };
  switch (name) {
    case "tenant":
      return (
        <Select
          label={label}
          value={values.tenant}
          options={TENANTS.map((each) => ({ value: each, label: idps.tenants[each] }))}
          onChange={(tenant) => set({ tenant })}
          isReadOnly={isReadOnly}
        />
      );
    case "tenantId":
      return values.tenant === "single" ? <Field {...common} isRequired /> : null;
    case "binding":
    case "nameIdFormat":
      return (
        <Select
          label={label}
          value={value}
          options={idps[name === "binding" ? "bindings" : "nameIdFormats"].map((each, index) => ({
            value: String(index),
            label: each,
          }))}
          onChange={setText}
          isReadOnly={isReadOnly}
        />
      );
    case "transientMappingAttributeName":
      return values.nameIdFormat === "3" ? <Field {...common} /> : null;
    case "privateKey":
    case "metadataXml":
      return <TextArea {...common} {...(name === "privateKey" && isNew && { isRequired: true })} />;
    case "clientSecret":
      return (
        <Field
          {...common}
          type="password"
          hint={isNew ? hint : idps.keepSecret}
          isRequired={isNew}
          autocomplete="off"
        />
      );
    default:
      return <Field {...common} isRequired={REQUIRED.has(name)} />;
  }
}
