import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
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
} from "../../../gen/signet/v1/provider_calls_pb.js";
import { AutoLinkingOption, type AzureADTenant, type ProviderOptions } from "../../../gen/signet/v1/provider_pb.js";
import type { Problems } from "../../errors.ts";
import { type CheckedProvider, checkProvider, type ProviderRequest } from "../../idps/check-provider.ts";
import type { IdpKind } from "../../idps/kinds.ts";
import { TENANTS, toTenant } from "../provider-kinds.ts";
import { checkMessage } from "../rules/check-message.ts";

/** The fields of all `Add…ProviderRequest` and `Update…ProviderRequest` messages. Each kind has some of them. */
type ProviderMessage = Omit<ProviderRequest, "tenant" | "providerOptions"> & {
  readonly tenant?: AzureADTenant | undefined;
  readonly providerOptions?: ProviderOptions | undefined;
};

/** The fields for `addProvider` and `updateProvider`. */
export function toProviderFields(kind: IdpKind) {
  const check = checkProvider(kind);
  return ({ tenant, ...request }: ProviderMessage, problems: Problems): CheckedProvider => {
    if (request.providerOptions?.autoLinking === AutoLinkingOption.USERNAME) {
      const problem =
        "AUTO_LINKING_OPTION_USERNAME is not supported: at most providers, anyone can choose any user name";
      problems.add("providerOptions.autoLinking", problem);
    }
    const type = tenant?.type;
    const word = type?.case === "tenantType" ? TENANTS[type.value] : type?.value;
    return check({ ...request, ...(word !== undefined && { tenant: word }) }, problems);
  };
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
export async function readNewProvider(
  kind: IdpKind,
  { tenant, providerOptions: { autoLinksByEmail, ...options }, ...given }: GivenProvider,
): Promise<CheckedProvider> {
  const schema: DescMessage = ADD_REQUESTS[kind];
  const autoLinking = autoLinksByEmail ? AutoLinkingOption.EMAIL : AutoLinkingOption.UNSPECIFIED;
  const fields = {
    ...given,
    ...(tenant !== undefined && { tenant: toTenant(tenant) }),
    providerOptions: { ...options, autoLinking },
  };
  const request = create(schema, fields as MessageInitShape<DescMessage>);
  return await checkMessage(schema, request, (problems) =>
    toProviderFields(kind)(request as unknown as ProviderMessage, problems),
  );
}

const ADD_REQUESTS: Readonly<Record<IdpKind, DescMessage>> = {
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
