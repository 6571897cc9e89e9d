import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Field, Select, TextArea } from "../../parts/field.tsx";
import { texts } from "../../state/language.ts";
import { type Bound, type Form, type FormOptions, useForm } from "../../state/use-form.ts";
import { KINDS, type ProviderKind } from "./kinds.ts";
import type { ProviderOwner } from "./owner.ts";
import { type FieldName, type ProviderValues, TENANTS, type Tenant } from "./provider-values.ts";

interface ProviderFormProps<Saved> extends FormOptions<ProviderValues, Saved> {
  readonly kind: ProviderKind;
  readonly isNew: boolean;
  readonly owner: ProviderOwner;
}

/** The settings of a provider of a kind. */
export function ProviderForm<Saved>({ kind, isNew, owner, ...options }: ProviderFormProps<Saved>) {
  const { idps, orgs } = texts.value;
  const form = useForm({ ...options, isReadOnly: owner.mayChange !== true });
  const all: readonly FieldName[] = KINDS[kind].fields;
  const fields = all.filter((name) => name !== "trustEmail" || owner.mayTrust);
  return (
    <EditForm form={form}>
      <Field label={orgs.name} hint={idps.nameHint} {...form.field("name")} isRequired />
      {fields.map((name) => (
        <ProviderField key={name} name={name} form={form} isNew={isNew} />
      ))}
      <OptionsFields form={form} />
    </EditForm>
  );
}

/** Settings without which a provider cannot be added. */
const REQUIRED: ReadonlySet<FieldName> = new Set([
  ...(["clientId", "clientSecret", "issuer", "authorizationEndpoint", "tokenEndpoint", "userEndpoint"] as const),
  ...(["idAttribute", "teamId", "keyId", "privateKey"] as const),
]);

/** One setting of a provider, as its kind of value needs. */
function ProviderField({ name, form, isNew }: { name: FieldName; form: Form<ProviderValues>; isNew: boolean }) {
  const { idps } = texts.value;
  const { values } = form;
  const words = idps.fields[name] as { readonly label: string; readonly hint?: string };
  const { value, ...bound } = form.field(name, name === "tenantId" ? "tenant.tenantId" : name);
  if (typeof value === "boolean") return <Check {...words} {...({ ...bound, value } as Bound<boolean>)} />;
  const text = { ...words, ...bound, value } as typeof words & Bound<string>;
  const numbered = (labels: readonly string[]) => labels.map((label, index) => [String(index), label] as const);
  switch (name) {
    case "tenant":
      return <Select<string> {...text} options={TENANTS.map((each: Tenant) => [each, idps.tenants[each]])} />;
    case "tenantId":
      return values.tenant === "single" ? <Field {...text} isRequired /> : null;
    case "userIdAttribute":
      return <Select {...text} options={numbered(idps.userIdAttributes)} />;
    case "binding":
      return <Select {...text} options={numbered(idps.bindings)} />;
    case "nameIdFormat":
      return <Select {...text} options={numbered(idps.nameIdFormats)} />;
    case "transientMappingAttributeName":
      return values.nameIdFormat === "3" ? <Field {...text} /> : null;
    case "privateKey":
    case "metadataXml":
      return <TextArea {...text} isRequired={name === "privateKey" && isNew} />;
    case "clientSecret":
      return <Field {...text} type="password" hint={isNew ? words.hint : idps.keepSecret} isRequired={isNew} />;
    default:
      return <Field {...text} isRequired={REQUIRED.has(name)} />;
  }
}

const OPTIONS = ["isLinkingAllowed", "isCreationAllowed", "isAutoCreation", "isAutoUpdate", "isAutoLinking"] as const;

/** What people who are not linked can do. An option that needs another one turns it on. */
function OptionsFields({ form }: { form: Form<ProviderValues> }) {
  const { idps } = texts.value;
  const change = (name: (typeof OPTIONS)[number], isOn: boolean) =>
    form.set({
      [name]: isOn,
      ...(name === "isAutoCreation" && isOn && { isCreationAllowed: true }),
      ...(name === "isCreationAllowed" && !isOn && { isAutoCreation: false }),
      ...(name === "isAutoLinking" && isOn && { isLinkingAllowed: true }),
      ...(name === "isLinkingAllowed" && !isOn && { isAutoLinking: false }),
    });
  return (
    <fieldset class="group">
      <legend>{idps.options}</legend>
      {OPTIONS.map((name) => (
        <Check key={name} {...idps.fields[name]} {...form.field(name)} onInput={(isOn) => change(name, isOn)} />
      ))}
    </fieldset>
  );
}
