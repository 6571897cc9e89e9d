import { ScimAddressRule, type ScimConnection, ScimLinkAttribute } from "../../../gen/signet/v1/scim_pb.js";
import { nameIn, namesOf } from "../../state/tables.ts";

/** The settings of a connection, as a form has them. */
export interface ScimValues {
  readonly name: string;
  /** Empty for no provider. */
  readonly idpId: string;
  readonly linkAttribute: keyof typeof LINK_ATTRIBUTES;
  /** Empty unless the attribute is `custom`. */
  readonly linkPath: string;
  readonly addressRule: keyof typeof ADDRESS_RULES;
  /** Empty for no application. */
  readonly groupAppId: string;
  readonly isTrial: boolean;
}

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

export const ADDRESS_RULE_NAMES = namesOf(ADDRESS_RULES);
export const LINK_ATTRIBUTE_NAMES = namesOf(LINK_ATTRIBUTES);

export const NEW_CONNECTION: ScimValues = {
  ...{ name: "", idpId: "", linkAttribute: "externalId", linkPath: "", addressRule: "invite", groupAppId: "" },
  isTrial: false,
};

export function toValues(connection: ScimConnection): ScimValues {
  const { name, idpId, linkAttribute, linkPath, addressRule, groupAppId, isTrial } = connection;
  return {
    ...{ name, idpId, linkPath, groupAppId, isTrial },
    linkAttribute: nameIn(LINK_ATTRIBUTES, linkAttribute) ?? "externalId",
    addressRule: nameIn(ADDRESS_RULES, addressRule) ?? "invite",
  };
}

/** A field that the form does not show has no value. */
export function toRequest({ linkAttribute, linkPath, addressRule, ...values }: ScimValues) {
  return {
    ...values,
    linkAttribute: LINK_ATTRIBUTES[linkAttribute],
    linkPath: linkAttribute === "custom" ? linkPath : "",
    addressRule: ADDRESS_RULES[addressRule],
  };
}
