import type { DescEnum, DescEnumValue, DescField, DescMessage, JsonObject } from "@bufbuild/protobuf";
import { OIDCResponseType } from "../../gen/signet/v1/app_pb.js";
import { AutoLinkingOption } from "../../gen/signet/v1/provider_pb.js";
import { ROLE_NAMES } from "../../src/access/member-roles.ts";
import { LONGEST_PASSWORD } from "../../src/passwords/policy.ts";
import { AUTH_METHODS, GRANT_TYPES } from "../../src/rpc/app-enums.ts";
import { LANGUAGES } from "../../src/texts/languages.ts";
import { WEBHOOK_EVENT_TYPES } from "../../src/webhooks/check-webhook.ts";

/** A rule that the service checks in code, because the contract does not express it. */
export interface CodeRule {
  /** Keywords of JSON Schema for the value, or for each item of a list. */
  readonly keywords?: JsonObject;
  /** Whether the field is required. The value `…_UNSPECIFIED` of an enum does not count. */
  readonly isRequired?: true;
}

const roles: CodeRule = { keywords: { enum: ROLE_NAMES.org } };
const instanceRoles: CodeRule = { keywords: { enum: ROLE_NAMES.instance } };
// The service accepts addresses outside ASCII (RFC 6531).
const email: CodeRule = { keywords: { format: "idn-email" } };
const uri: CodeRule = { keywords: { format: "uri" } };
const provider: Readonly<Record<string, CodeRule>> = {
  issuer: uri,
  // RFC 6749, section 3.3. A text can have several scopes, separated by spaces.
  scopes: { keywords: { pattern: "^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*[\\x21\\x23-\\x5b\\x5d-\\x7e]+ *$" } },
};
const providerOfKind: Readonly<Record<string, CodeRule>> = {
  ...provider,
  authorization_endpoint: uri,
  token_endpoint: uri,
  user_endpoint: uri,
  team_id: { keywords: { pattern: "^[A-Z0-9]{10}$" } },
  key_id: { keywords: { pattern: "^[A-Z0-9]{10}$" } },
};
const textLanguage = { language: { keywords: { enum: [...LANGUAGES].sort() } } } satisfies Record<string, CodeRule>;
const webhook: Readonly<Record<string, CodeRule>> = {
  url: uri,
  event_types: { keywords: { enum: [...WEBHOOK_EVENT_TYPES] } },
};
const required: CodeRule = { isRequired: true };

/** The rules by message and field. */
const CODE_RULES: Readonly<Record<string, Readonly<Record<string, CodeRule>>>> = {
  ImportHumanUserRequest: {
    user_name: { keywords: { minLength: 1, maxLength: 500 } },
    subject: { keywords: { pattern: "^[ -~]*$" } },
    recovery_codes: { keywords: { pattern: "^[-\\s]*(?:[A-Za-z0-9][-\\s]*){8,64}$" } },
  },
  "ImportHumanUserRequest.Email": { email },
  "ImportHumanUserRequest.HashedPassword": { value: { keywords: { maxLength: 512 } } },
  UpdateUserNameRequest: { user_name: { keywords: { minLength: 1, maxLength: 500 } } },
  UpdateHumanEmailRequest: { email },
  SetHumanPasswordRequest: { password: { keywords: { minLength: 1, maxLength: LONGEST_PASSWORD.bcrypt } } },
  StateQuery: { state: required },
  OrgStateQuery: { state: required },
  TypeQuery: { type: required },
  IDPOwnerTypeQuery: { owner_type: required },
  "AddCustomLoginPolicyRequest.IDP": { ownerType: required },
  ListQuery: { offset: { keywords: { pattern: "^(?:[0-9]{1,4}|10000)$" } } },
  AddWebhookRequest: webhook,
  UpdateWebhookRequest: webhook,
  SetPasswordHookRequest: { url: uri },
  AddOrgMemberRequest: { roles },
  UpdateOrgMemberRequest: { roles },
  SetUpOrgRequest: { roles, human: required },
  "SetUpOrgRequest.Human": { user_name: { keywords: { minLength: 1, maxLength: 500 } } },
  AddIAMMemberRequest: { roles: instanceRoles },
  UpdateIAMMemberRequest: { roles: instanceRoles },
  AddOIDCIDPRequest: provider,
  AddOrgOIDCIDPRequest: provider,
  UpdateIDPOIDCConfigRequest: provider,
  UpdateOrgIDPOIDCConfigRequest: provider,
};

/** The supported numbers of enums that also have unsupported ones. */
const SUPPORTED: Readonly<Record<string, readonly number[]>> = {
  OIDCResponseType: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE],
  OIDCGrantType: [...GRANT_TYPES.keys()],
  OIDCAuthMethodType: [...AUTH_METHODS.keys()],
  AutoLinkingOption: [AutoLinkingOption.UNSPECIFIED, AutoLinkingOption.EMAIL],
};

/**
 * The values of an enum that requests can have, or responses. Responses leave out `…_UNSPECIFIED`, like every first value.
 *
 * @param requests All messages of requests.
 */
export function usedValues(desc: DescEnum, requests: ReadonlySet<DescMessage>): DescEnumValue[] {
  const mayBeUnspecified = [...requests].some(({ fields }) =>
    fields.some((field) => field.enum === desc && !codeRuleOf(field).isRequired),
  );
  return supportedValues(desc).filter((value) => mayBeUnspecified || !isUnspecified(value));
}

/** The value of an enum in examples. */
export function exampleValue(desc: DescEnum): string {
  const example = supportedValues(desc).find((value) => !isUnspecified(value));
  if (example === undefined) throw new Error(`${desc} has no value for an example`);
  return example.name;
}

function supportedValues(desc: DescEnum): DescEnumValue[] {
  const supported = SUPPORTED[nameInPackage(desc)];
  return desc.values.filter(({ number }) => supported?.includes(number) ?? true);
}

function isUnspecified({ name }: DescEnumValue): boolean {
  return name.endsWith("_UNSPECIFIED");
}

/** The messages of which exactly one field of each oneof must be given: conditions of lists, and others. */
export const NEEDING_ONEOFS: ReadonlySet<string> = new Set([
  "AddSAMLProviderRequest",
  "AppQuery",
  "IDPQuery",
  "MemberQuery",
  "MembershipQuery",
  "OrgIDPQuery",
  "OrgQuery",
  "ProviderQuery",
  "SearchQuery",
  "SetUpOrgRequest",
  "UpdateSAMLProviderRequest",
]);

/** The rules of messages with such names. */
const RULES_BY_NAME: readonly (readonly [RegExp, Readonly<Record<string, CodeRule>>])[] = [
  [/^(Add|Update)\w+ProviderRequest$/, providerOfKind],
  [/(Message|Page)Texts?(ToDefault)?Request$/, textLanguage],
];

/** The rule of a field that only code checks. */
export function codeRuleOf({ name, parent }: DescField): CodeRule {
  const message = nameInPackage(parent);
  const [, rules] = RULES_BY_NAME.find(([pattern]) => pattern.test(message)) ?? [undefined, CODE_RULES[message]];
  return rules?.[name] ?? {};
}

/** The name without the package, such as `ImportHumanUserRequest.Profile`. */
export function nameInPackage({ typeName, file }: Pick<DescMessage, "typeName" | "file">): string {
  return typeName.slice(file.proto.package.length + 1);
}
