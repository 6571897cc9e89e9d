import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Choices, Field, Select } from "../../parts/field.tsx";
import { IdField } from "../../parts/pick-field.tsx";
import { type FormOptions, useForm } from "../../state/use-form.ts";
import { useAppChoices, useProviderChoices } from "../users/choices.ts";
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
      {/* One of the organization or of the instance. */}
      <IdField
        {...{ label: own.provider, hint: own.providerHint, placeholder: own.noProvider }}
        {...useProviderChoices(orgId)}
        {...form.field("idpId")}
      />
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
      <IdField
        {...{ label: own.groups, hint: own.groupsHint, placeholder: own.noGroups }}
        {...useAppChoices(orgId)}
        {...form.field("groupAppId")}
      />
      {button && <Check label={own.trial} hint={own.trialHint} {...form.field("isTrial")} />}
    </EditForm>
  );
}
