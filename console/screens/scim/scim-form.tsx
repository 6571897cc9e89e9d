import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Choices, Field, Select } from "../../parts/field.tsx";
import { ProblemNote } from "../../parts/screen.tsx";
import { useApi } from "../../state/session.ts";
import { type Bound, type FormOptions, useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { scimTexts } from "./scim-texts.ts";
import { ADDRESS_RULE_NAMES, LINK_ATTRIBUTE_NAMES, type ScimValues } from "./scim-values.ts";

interface ScimFormProps<Saved> extends FormOptions<ScimValues, Saved> {
  readonly orgId: string;
  /** The button of a new connection, which can begin with a trial. */
  readonly button?: string;
}

export function ScimForm<Saved>({ orgId, button, ...options }: ScimFormProps<Saved>) {
  const own = scimTexts.value;
  const form = useForm(options);
  const { idpId, linkAttribute } = form.values;
  return (
    <EditForm form={form} button={button}>
      <Field label={own.name} hint={own.nameHint} {...form.field("name")} isRequired maxLength={200} />
      <ProviderField orgId={orgId} {...form.field("idpId")} />
      {idpId !== "" && (
        <div class="pair">
          <Select
            label={own.link}
            {...form.field("linkAttribute")}
            options={LINK_ATTRIBUTE_NAMES.map((name) => [name, own.links[name]] as const)}
          />
          {linkAttribute === "custom" && (
            <Field
              label={own.linkPath}
              hint={own.linkPathHint}
              {...form.field("linkPath")}
              isRequired
              maxLength={200}
            />
          )}
        </div>
      )}
      <Choices
        label={own.addresses}
        {...form.field("addressRule")}
        options={ADDRESS_RULE_NAMES.map((value) => ({ value, ...own.addressRules[value] }))}
      />
      <AppField orgId={orgId} {...form.field("groupAppId")} />
      {button && <Check label={own.trial} hint={own.trialHint} {...form.field("isTrial")} />}
    </EditForm>
  );
}

/** More than anybody chooses from. */
const SHOWN = 200;

interface PickedProps extends Bound<string> {
  readonly orgId: string;
}

/** The provider with which the people sign in: one of the organization or of the instance. */
function ProviderField({ orgId, ...bound }: PickedProps) {
  const { management } = useApi(orgId);
  const own = scimTexts.value;
  const found = useLoad(`scim providers ${orgId}`, async (signal) => {
    const { result } = await management.listProviders({ query: { limit: SHOWN } }, { signal });
    return result;
  });
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <Select
        label={own.provider}
        hint={own.providerHint}
        {...bound}
        options={optionsOf(own.noProvider, bound.value, found.value)}
      />
    </>
  );
}

/** The application whose roles the groups of the directory become. */
function AppField({ orgId, ...bound }: PickedProps) {
  const { management } = useApi(orgId);
  const own = scimTexts.value;
  const found = useLoad(`scim apps ${orgId}`, async (signal) => {
    const { result } = await management.listApps({ query: { limit: SHOWN } }, { signal });
    return result;
  });
  return (
    <>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <Select
        label={own.groups}
        hint={own.groupsHint}
        {...bound}
        options={optionsOf(own.noGroups, bound.value, found.value)}
      />
    </>
  );
}

/** What is chosen is shown by its id until its name is known. */
function optionsOf(none: string, value: string, found: readonly { readonly id: string; readonly name: string }[] = []) {
  const named = found.map(({ id, name }) => [id, name] as const);
  const isListed = value === "" || found.some(({ id }) => id === value);
  return [["", none] as const, ...named, ...(isListed ? [] : [[value, value] as const])];
}
