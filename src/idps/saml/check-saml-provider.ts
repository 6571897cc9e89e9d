import type { Problems } from "../../errors.ts";
import type { IdpOptions } from "../../events/catalogue.ts";
import { describeEndpointProblem } from "../../fields/endpoint.ts";
import { checkIdpName } from "../check-idp-fields.ts";
import { checkOptions } from "../check-provider.ts";
import type { SamlSettings } from "../kinds.ts";

/** The fields of AddSAMLProviderRequest and UpdateSAMLProviderRequest. */
interface SamlProviderRequest
  extends Pick<
    SamlSettings,
    "binding" | "withSignedRequest" | "nameIdFormat" | "transientMappingAttributeName" | "allowIdpInitiated"
  > {
  readonly id?: string;
  readonly name: string;
  /** The metadata, or the URL at which they are. Undefined if neither is given. */
  readonly metadata: Uint8Array | string | undefined;
  readonly providerOptions?: (IdpOptions & { readonly trustEmail?: boolean }) | undefined;
}

/** A checked request, except for the metadata. */
export interface CheckedSamlProvider extends Omit<SamlProviderRequest, "providerOptions" | "metadata" | "id"> {
  /** Empty for a new provider. */
  readonly id: string;
  readonly metadata: Uint8Array | string;
  readonly options: IdpOptions;
  readonly trustEmail: boolean;
}

/** Checks the rules that the schema cannot express. They are the same for new and changed providers. */
export function checkSamlProvider(request: SamlProviderRequest, problems: Problems): CheckedSamlProvider {
  const { id = "", name, metadata = "", providerOptions, ...settings } = request;
  if (request.metadata === undefined) problems.add("metadataXml", "is required, or metadataUrl");
  const problem = typeof metadata === "string" && metadata !== "" ? describeEndpointProblem(metadata) : undefined;
  if (problem !== undefined) problems.add("metadataUrl", problem);
  return {
    ...settings,
    id,
    metadata,
    name: checkIdpName(name, problems),
    options: checkOptions(providerOptions, problems),
    trustEmail: providerOptions?.trustEmail ?? false,
  };
}
