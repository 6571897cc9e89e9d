import { create, type DescMessage, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import {
  AddAppleProviderRequestSchema,
  AddAzureADProviderRequestSchema,
  AddGenericOAuthProviderRequestSchema,
  AddGenericOIDCProviderRequestSchema,
  AddGitHubEnterpriseServerProviderRequestSchema,
  AddGitHubProviderRequestSchema,
  AddGitLabProviderRequestSchema,
  AddGitLabSelfHostedProviderRequestSchema,
  AddGoogleProviderRequestSchema,
  type AddSAMLProviderRequest,
  AddSAMLProviderRequestSchema,
  type UpdateSAMLProviderRequest,
} from "../../../gen/signet/v1/provider_calls_pb.js";
import {
  AutoLinkingOption,
  type AzureADTenant,
  type ProviderOptions,
  SAMLNameIDFormat,
} from "../../../gen/signet/v1/provider_pb.js";
import type { Problems } from "../../errors.ts";
import { type CheckedProvider, checkProvider, type ProviderRequest } from "../../idps/check-provider.ts";
import type { IdpKind } from "../../idps/kinds.ts";
import {
  type CheckedSamlProvider,
  checkSamlProvider,
  type SamlProviderRequest,
} from "../../idps/saml/check-saml-provider.ts";
import { numberOf, SAML_BINDINGS, SAML_NAME_ID_FORMATS, TENANTS, toTenant } from "../provider-kinds.ts";
import { checkMessage } from "../rules/check-message.ts";

/** The fields of all `Add…ProviderRequest` and `Update…ProviderRequest` messages. Each kind has some of them. */
type ProviderMessage = Omit<ProviderRequest, "tenant" | "providerOptions"> & {
  readonly tenant?: AzureADTenant | undefined;
  readonly providerOptions?: ProviderOptions | undefined;
};

/** The fields for `addProvider` and `updateProvider`. */
export function toProviderFields(kind: ProviderKind) {
  const check = checkProvider(kind);
  return ({ tenant, ...request }: ProviderMessage, problems: Problems): CheckedProvider => {
    checkLinking(request, problems);
    const type = tenant?.type;
    const word = type?.case === "tenantType" ? TENANTS[type.value] : type?.value;
    return check({ ...request, ...(word !== undefined && { tenant: word }) }, problems);
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

/** A new provider given on the command line. */
type GivenProvider = Partial<Omit<ProviderRequest, "providerOptions">> & {
  readonly providerOptions: Omit<ProviderOptions, "$typeName" | "autoLinking"> & { readonly autoLinksByEmail: boolean };
};

/**
 * Checks a provider given on the command line, by the rules of the call that adds one of its kind.
 *
 * @throws SignetError INVALID_ARGUMENT.
 */
export async function readNewProvider(kind: ProviderKind, given: GivenProvider): Promise<CheckedProvider> {
  const request = createAddRequest(kind, given);
  return await checkMessage(ADD_REQUESTS[kind], request, (problems) =>
    toProviderFields(kind)(request as unknown as ProviderMessage, problems),
  );
}

/** The request that adds a provider given on the command line. */
export function createAddRequest(
  kind: ProviderKind,
  { tenant, providerOptions: { autoLinksByEmail, ...options }, ...given }: GivenProvider,
): Message {
  const autoLinking = autoLinksByEmail ? AutoLinkingOption.EMAIL : AutoLinkingOption.UNSPECIFIED;
  const fields = {
    ...given,
    ...(tenant !== undefined && { tenant: toTenant(tenant) }),
    providerOptions: { ...options, autoLinking },
  };
  return create(ADD_REQUESTS[kind], fields as MessageInitShape<DescMessage>);
}

/** The same for a SAML provider, by the rules of AddSAMLProvider. */
export async function readNewSamlProvider(given: GivenSamlProvider): Promise<CheckedSamlProvider> {
  const request = createAddSamlRequest(given);
  return await checkMessage(AddSAMLProviderRequestSchema, request, (problems) =>
    toSamlProviderFields(request, problems),
  );
}

type GivenSamlProvider = Omit<SamlProviderRequest, "providerOptions"> & Pick<GivenProvider, "providerOptions">;

/** The request that adds a SAML provider given on the command line. */
export function createAddSamlRequest({
  metadata,
  binding,
  nameIdFormat,
  providerOptions: { autoLinksByEmail, ...options },
  ...given
}: GivenSamlProvider): AddSAMLProviderRequest {
  const autoLinking = autoLinksByEmail ? AutoLinkingOption.EMAIL : AutoLinkingOption.UNSPECIFIED;
  return create(AddSAMLProviderRequestSchema, {
    ...given,
    metadata: toMetadata(metadata),
    binding: numberOf(SAML_BINDINGS, binding),
    nameIdFormat: numberOf(SAML_NAME_ID_FORMATS, nameIdFormat),
    providerOptions: { ...options, autoLinking },
  });
}

function toMetadata(given: Uint8Array | string | undefined) {
  if (given === undefined) return { case: undefined };
  return typeof given === "string"
    ? { case: "metadataUrl" as const, value: given }
    : { case: "metadataXml" as const, value: new Uint8Array(given) };
}

const ADD_REQUESTS: Readonly<Record<ProviderKind, DescMessage>> = {
  oidc: AddGenericOIDCProviderRequestSchema,
  google: AddGoogleProviderRequestSchema,
  azure: AddAzureADProviderRequestSchema,
  apple: AddAppleProviderRequestSchema,
  gitlab: AddGitLabProviderRequestSchema,
  gitlab_self_hosted: AddGitLabSelfHostedProviderRequestSchema,
  github: AddGitHubProviderRequestSchema,
  github_es: AddGitHubEnterpriseServerProviderRequestSchema,
  oauth: AddGenericOAuthProviderRequestSchema,
};
