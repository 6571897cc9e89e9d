import { create } from "@bufbuild/protobuf";
import {
  AutoLinkingOption,
  AzureADUserIDAttribute,
  type Provider,
  ProviderOptionsSchema,
} from "../../../gen/signet/v1/provider_pb.js";
import { namesOf, pick } from "../../state/tables.ts";

/** The settings of a provider as a form shows them, those of all kinds together. An empty secret keeps the stored one. */
export type ProviderValues = typeof NEW_PROVIDER;

/** A setting besides the name, which all kinds have. */
export type FieldName = Exclude<keyof ProviderValues, "name">;

/** Whose users can sign in with Microsoft; the first three have the numbers of the API. */
export const TENANTS = ["common", "organisations", "consumers", "single"] as const;
export type Tenant = (typeof TENANTS)[number];

/** A new provider, with which people can register and link their accounts. */
export const NEW_PROVIDER = {
  ...{ name: "", clientId: "", clientSecret: "", issuer: "", scopes: "" },
  ...{ authorizationEndpoint: "", tokenEndpoint: "", userEndpoint: "", idAttribute: "" },
  ...{ usePkce: true, isIdTokenMapping: false, tenant: "common" as Tenant, tenantId: "", emailVerified: false },
  userIdAttribute: String(AzureADUserIDAttribute.AZURE_AD_USER_ID_ATTRIBUTE_OID),
  ...{ teamId: "", keyId: "", privateKey: "", metadataUrl: "", metadataXml: "", binding: "0", nameIdFormat: "2" },
  ...{ transientMappingAttributeName: "", withSignedRequest: false, allowIdpInitiated: false },
  ...{ isLinkingAllowed: true, isCreationAllowed: true },
  ...{ isAutoCreation: false, isAutoUpdate: false, isAutoLinking: false, requireAuthTime: true },
  trustEmail: false,
};

/** Those of the options of a provider, which all kinds have. */
const OPTIONS = ["isLinkingAllowed", "isCreationAllowed", "isAutoCreation", "isAutoUpdate", "trustEmail"] as const;

/** The settings of an existing provider, without its secret. */
export function toValues({ name, config }: Provider): ProviderValues {
  const { options = create(ProviderOptionsSchema) } = config ?? {};
  const given = { ...config?.config.value } as Record<string, unknown>;
  /** Settings that the form and the API have in the same way. */
  const same = namesOf(NEW_PROVIDER).filter((member) => typeof given[member] === typeof NEW_PROVIDER[member]);
  const saml = config?.config.case === "saml" ? config.config.value : undefined;
  const azureAd = config?.config.case === "azureAd" ? config.config.value : undefined;
  const azure = azureAd?.tenant?.type;
  return {
    ...NEW_PROVIDER,
    ...(pick(given, same) as Partial<ProviderValues>),
    name,
    scopes: ((given.scopes ?? []) as string[]).join(" "),
    tenant: azure?.case === "tenantId" ? "single" : (TENANTS[azure?.value ?? 0] ?? "common"),
    tenantId: azure?.case === "tenantId" ? azure.value : "",
    userIdAttribute: String(azureAd?.userIdAttribute ?? AzureADUserIDAttribute.AZURE_AD_USER_ID_ATTRIBUTE_SUB),
    metadataXml: saml ? new TextDecoder().decode(saml.metadataXml) : "",
    binding: String(saml?.binding ?? 0),
    nameIdFormat: String(saml?.nameIdFormat ?? 0),
    ...pick(options, OPTIONS),
    isAutoLinking: options.autoLinking === AutoLinkingOption.EMAIL,
    requireAuthTime: options.requireAuthTime ?? true,
  };
}

/** Whether only the kind and the name are known. */
export function isWithoutSettings(kind: string, { clientId, metadataXml }: ProviderValues): boolean {
  return (kind === "saml" ? metadataXml : clientId) === "";
}

/** The fields of all requests that add or change a provider; each takes those that it has. */
export type ProviderRequest = ReturnType<typeof toRequest>;

export function toRequest(values: ProviderValues) {
  const { scopes, tenant, tenantId, privateKey, metadataUrl, metadataXml, binding, nameIdFormat, ...rest } = values;
  const { isAutoLinking, requireAuthTime, userIdAttribute, ...others } = rest;
  const encoder = new TextEncoder();
  return {
    ...others,
    scopes: scopes.split(/\s+/).filter(Boolean),
    tenant: {
      type:
        tenant === "single"
          ? { case: "tenantId" as const, value: tenantId }
          : { case: "tenantType" as const, value: TENANTS.indexOf(tenant) },
    },
    userIdAttribute: Number(userIdAttribute),
    privateKey: encoder.encode(privateKey),
    metadata:
      metadataUrl === ""
        ? { case: "metadataXml" as const, value: encoder.encode(metadataXml) }
        : { case: "metadataUrl" as const, value: metadataUrl },
    binding: Number(binding),
    nameIdFormat: Number(nameIdFormat),
    providerOptions: {
      ...{ ...pick(values, OPTIONS), requireAuthTime },
      autoLinking: isAutoLinking ? AutoLinkingOption.EMAIL : AutoLinkingOption.UNSPECIFIED,
    },
  };
}
