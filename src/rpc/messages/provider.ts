import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type {
  AddProviderDraftRequest,
  AddSAMLProviderRequest,
  UpdateSAMLProviderRequest,
} from "../../../gen/signet/v1/provider_calls_pb.js";
import {
  AutoLinkingOption,
  type AzureADTenant,
  type AzureADUserIDAttribute,
  type Provider,
  type ProviderConfigSchema,
  type ProviderOptions,
  ProviderSchema,
  SAMLNameIDFormat,
} from "../../../gen/signet/v1/provider_pb.js";
import type { Call } from "../../call.ts";
import type { Problems } from "../../errors.ts";
import type { ListResult } from "../../fields/read-list.ts";
import { type CheckedProvider, checkProvider, type ProviderRequest } from "../../idps/check-provider.ts";
import { checkProviderDraft, type ProviderDraft } from "../../idps/draft.ts";
import { type IdpKind, requiresAuthTime } from "../../idps/kinds.ts";
import type { IdpRow } from "../../idps/list-idps.ts";
import { type CheckedSamlProvider, checkSamlProvider } from "../../idps/saml/check-saml-provider.ts";
import { writeMetadata } from "../../idps/saml/write-metadata.ts";
import type { IdpCheck } from "../../sign-in/provider/check-idp.ts";
import {
  kindOfType,
  numberOf,
  PROVIDER_KINDS,
  SAML_BINDINGS,
  SAML_NAME_ID_FORMATS,
  TENANTS,
  toTenant,
  USER_ID_ATTRIBUTES,
} from "../provider-kinds.ts";
import { toIdpFields } from "./idp.ts";

/** The fields of all `Add…ProviderRequest` and `Update…ProviderRequest` messages. Each kind has some of them. */
type ProviderMessage = Omit<ProviderRequest, "tenant" | "userIdAttribute" | "providerOptions"> & {
  readonly tenant?: AzureADTenant | undefined;
  readonly userIdAttribute?: AzureADUserIDAttribute | undefined;
  readonly providerOptions?: ProviderOptions | undefined;
};

/** The fields for `addProvider` and `updateProvider`. */
export function toProviderFields(kind: ProviderKind) {
  const check = checkProvider(kind);
  return ({ tenant, userIdAttribute: number, ...request }: ProviderMessage, problems: Problems): CheckedProvider => {
    checkLinking(request, problems);
    const type = tenant?.type;
    const word = type?.case === "tenantType" ? TENANTS[type.value] : type?.value;
    const userIdAttribute = number === undefined ? undefined : USER_ID_ATTRIBUTES[number];
    return check({ ...request, userIdAttribute, ...(word !== undefined && { tenant: word }) }, problems);
  };
}

/** The kinds whose requests have the same fields. */
export type ProviderKind = Exclude<IdpKind, "saml">;

function checkLinking({ providerOptions }: Pick<ProviderMessage, "providerOptions">, problems: Problems): void {
  if (providerOptions?.autoLinking !== AutoLinkingOption.USERNAME) return;
  const problem = "AUTO_LINKING_OPTION_USERNAME is not supported: at most providers, anyone can choose any user name";
  problems.add("providerOptions.autoLinking", problem);
}

/** The fields for `addSamlProvider` and `updateSamlProvider`. The schema rejects unknown numbers. */
export function toSamlProviderFields(
  request: AddSAMLProviderRequest | UpdateSAMLProviderRequest,
  problems: Problems,
): CheckedSamlProvider {
  checkLinking(request, problems);
  const { name, withSignedRequest, binding, nameIdFormat, transientMappingAttributeName, allowIdpInitiated } = request;
  const checked = {
    ...("id" in request && { id: request.id }),
    name,
    metadata: request.metadata.value,
    binding: SAML_BINDINGS[binding],
    withSignedRequest,
    nameIdFormat: SAML_NAME_ID_FORMATS[nameIdFormat ?? SAMLNameIDFormat.SAML_NAME_ID_FORMAT_UNSPECIFIED],
    transientMappingAttributeName: transientMappingAttributeName ?? "",
    allowIdpInitiated,
    providerOptions: request.providerOptions,
  };
  return checkSamlProvider(checked, problems);
}

/** The fields for `addProviderDraft`. The schema rejects unknown numbers. */
export function toProviderDraft({ name, type }: AddProviderDraftRequest, problems: Problems): ProviderDraft {
  return checkProviderDraft({ name, kind: kindOfType(type) }, problems);
}

type Config = NonNullable<MessageInitShape<typeof ProviderConfigSchema>["config"]>;

/** Converts a row to a provider of any kind in a response. */
export function toProvider(row: IdpRow, call: Call): Provider {
  const { type, config } = PROVIDER_KINDS[row.kind];
  const { tenant, userIdAttribute, requireAuthTime: _, trustEmail = false, ...settings } = row.config;
  // The message of a kind has a field for each of its settings.
  const value = {
    clientId: row.client_id,
    scopes: row.scopes,
    issuer: row.issuer,
    ...settings,
    ...(tenant !== undefined && { tenant: toTenant(tenant) }),
    ...(row.kind === "azure" && { userIdAttribute: numberOf(USER_ID_ATTRIBUTES, userIdAttribute) }),
  };
  return create(ProviderSchema, {
    ...toIdpFields(row, call),
    type,
    config: {
      options: {
        isLinkingAllowed: row.is_linking_allowed,
        isCreationAllowed: row.is_creation_allowed,
        isAutoCreation: row.auto_register,
        isAutoUpdate: row.is_auto_update,
        autoLinking: row.auto_linking,
        trustEmail,
        ...(row.kind !== "saml" && { requireAuthTime: requiresAuthTime(row.kind, row.config) }),
      },
      config: (row.kind === "saml" ? { case: "saml", value: toSamlConfig(row) } : { case: config, value }) as Config,
    },
  });
}

/** Converts a page of providers to the fields of a response. */
export function toProviderList({ details, rows }: ListResult<IdpRow>, call: Call) {
  return { details, result: rows.map((row) => toProvider(row, call)) };
}

/** Converts the findings about a provider. What it publishes may contain lone surrogates, which messages cannot. */
export function toProviderCheck({
  metadata,
  supportedScopes,
  ...checked
}: IdpCheck & { readonly callbackUrl: string }) {
  return {
    ...checked,
    problems: checked.problems.map((problem) => problem.toWellFormed()),
    warnings: [...checked.warnings],
    metadata: Object.entries(metadata).map(([name, value]) => ({ name, value: value.toWellFormed() })),
    supportedScopes: supportedScopes.map((scope) => scope.toWellFormed()),
  };
}

function toSamlConfig({ issuer: entityId, config }: IdpRow) {
  const { redirectUrl = "", postUrl = "", certificates = [], binding, withSignedRequest = false } = config;
  const { nameIdFormat, transientMappingAttributeName: attribute = "", allowIdpInitiated = false } = config;
  return {
    // A draft has none yet.
    metadataXml: Buffer.from(entityId && writeMetadata({ entityId, redirectUrl, postUrl, certificates })),
    binding: numberOf(SAML_BINDINGS, binding),
    withSignedRequest,
    nameIdFormat: numberOf(SAML_NAME_ID_FORMATS, nameIdFormat),
    allowIdpInitiated,
    ...(attribute !== "" && { transientMappingAttributeName: attribute }),
  };
}
