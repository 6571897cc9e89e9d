import { ScimAddressRule, type ScimConnection, ScimLinkAttribute } from "../../../gen/signet/v1/scim_pb.js";
import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Choices, Field, Select } from "../../parts/field.tsx";
import { IdField } from "../../parts/pick-field.tsx";
import { namesOf, pick } from "../../state/tables.ts";
import { type FormOptions, named, useForm } from "../../state/use-form.ts";
import { useAppChoices, useProviderChoices } from "../users/choices.ts";
import { scimTexts } from "./scim-texts.ts";

const NAMES = ["name", "idpId", "linkAttribute", "linkPath", "addressRule", "groupAppId", "isTrial"] as const;

/** The settings of a connection. */
export type ScimValues = Pick<ScimConnection, (typeof NAMES)[number]>;

const ADDRESS_RULES = {
  invite: ScimAddressRule.INVITE,
  silent: ScimAddressRule.SILENT,
  reject: ScimAddressRule.REJECT,
};

const LINK_ATTRIBUTES = {
  externalId: ScimLinkAttribute.EXTERNAL_ID,
  userName: ScimLinkAttribute.USER_NAME,
  custom: ScimLinkAttribute.CUSTOM,
};

export const NEW_CONNECTION: ScimValues = {
  ...{ name: "", idpId: "", linkAttribute: LINK_ATTRIBUTES.externalId, linkPath: "" },
  ...{ addressRule: ADDRESS_RULES.invite, groupAppId: "", isTrial: false },
};

export function toValues(connection: ScimConnection): ScimValues {
  return pick(connection, NAMES);
}

/** A field that the form does not show has no value. */
export function toRequest({ linkPath, ...values }: ScimValues) {
  return { ...values, linkPath: values.linkAttribute === LINK_ATTRIBUTES.custom ? linkPath : "" };
}

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
            {...named(form.field("linkAttribute"), LINK_ATTRIBUTES, "externalId")}
            options={namesOf(LINK_ATTRIBUTES).map((name) => [name, own.links[name]] as const)}
          />
          {linkAttribute === LINK_ATTRIBUTES.custom && (
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
        {...named(form.field("addressRule"), ADDRESS_RULES, "invite")}
        options={namesOf(ADDRESS_RULES).map((value) => ({ value, ...own.addressRules[value] }))}
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
