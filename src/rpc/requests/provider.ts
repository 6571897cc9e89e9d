import { AutoLinkingOption, type AzureADTenant, type ProviderOptions } from "../../../gen/signet/v1/provider_pb.js";
import type { Problems } from "../../errors.ts";
import { type CheckedProvider, checkProvider, type ProviderRequest } from "../../idps/check-provider.ts";
import type { IdpKind } from "../../idps/kinds.ts";
import { TENANTS } from "../provider-kinds.ts";

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
