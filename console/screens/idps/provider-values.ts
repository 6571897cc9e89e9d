import { AutoLinkingOption, type Provider } from "../../../gen/signet/v1/provider_pb.js";

/** The settings of a provider as a form shows them, those of all kinds together. */
export interface ProviderValues {
  readonly name: string;
  readonly clientId: string;
  /** Empty to keep the stored one. */
  readonly clientSecret: string;
  readonly issuer: string;
  readonly scopes: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly userEndpoint: string;
  readonly idAttribute: string;
  readonly usePkce: boolean;
  readonly isIdTokenMapping: boolean;
  readonly tenant: Tenant;
  readonly tenantId: string;
  readonly emailVerified: boolean;
  readonly teamId: string;
  readonly keyId: string;
  /** Empty to keep the stored one. */
  readonly privateKey: string;
  readonly metadataUrl: string;
  readonly metadataXml: string;
  readonly binding: string;
  readonly nameIdFormat: string;
  readonly transientMappingAttributeName: string;
  readonly withSignedRequest: boolean;
  readonly allowIdpInitiated: boolean;
  readonly isLinkingAllowed: boolean;
  readonly isCreationAllowed: boolean;
  readonly isAutoCreation: boolean;
  readonly isAutoUpdate: boolean;
  readonly isAutoLinking: boolean;
  readonly requireAuthTime: boolean;
  readonly trustEmail: boolean;
}

/** A setting besides the name, which all kinds have. */
export type FieldName = Exclude<keyof ProviderValues, "name">;

/** Whose users can sign in with Microsoft; the first three have the numbers of the API. */
export const TENANTS = ["common", "organisations", "consumers", "single"] as const;
export type Tenant = (typeof TENANTS)[number];

/** A new provider, with which people can register and link their accounts. */
export const NEW_PROVIDER: ProviderValues = {
  ...{ name: "", clientId: "", clientSecret: "", issuer: "", scopes: "" },
  ...{ authorizationEndpoint: "", tokenEndpoint: "", userEndpoint: "", idAttribute: "" },
  ...{ usePkce: true, isIdTokenMapping: false, tenant: "common", tenantId: "", emailVerified: false },
  ...{ teamId: "", keyId: "", privateKey: "", metadataUrl: "", metadataXml: "", binding: "0", nameIdFormat: "2" },
  ...{ transientMappingAttributeName: "", withSignedRequest: false, allowIdpInitiated: false },
  ...{ isLinkingAllowed: true, isCreationAllowed: true },
  ...{ isAutoCreation: false, isAutoUpdate: false, isAutoLinking: false, requireAuthTime: true },
  trustEmail: false,
};

/** The settings of an existing provider, without its secret. */
export function toValues({ name, config }: Provider): ProviderValues {
  const { options } = config ?? {};
  const given = { ...config?.config.value } as Partial<Record<string, unknown>>;
  const text = (member: string) => String(given[member] ?? "");
  const flag = (member: string) => given[member] === true;
  const saml = config?.config.case === "saml" ? config.config.value : undefined;
  const azure = config?.config.case === "azureAd" ? config.config.value.tenant?.type : undefined;
  return {
    name,
    clientId: text("clientId"),
    clientSecret: "",
    issuer: text("issuer"),
    scopes: ((given.scopes ?? []) as string[]).join(" "),
    authorizationEndpoint: text("authorizationEndpoint"),
    tokenEndpoint: text("tokenEndpoint"),
    userEndpoint: text("userEndpoint"),
    idAttribute: text("idAttribute"),
    usePkce: flag("usePkce"),
    isIdTokenMapping: flag("isIdTokenMapping"),
    tenant: azure?.case === "tenantId" ? "single" : (TENANTS[azure?.value ?? 0] ?? "common"),
    tenantId: azure?.case === "tenantId" ? azure.value : "",
    emailVerified: flag("emailVerified"),
    teamId: text("teamId"),
    keyId: text("keyId"),
    privateKey: "",
    metadataUrl: "",
    metadataXml: saml ? new TextDecoder().decode(saml.metadataXml) : "",
    binding: String(saml?.binding ?? 0),
    nameIdFormat: String(saml?.nameIdFormat ?? 0),
    transientMappingAttributeName: text("transientMappingAttributeName"),
    withSignedRequest: flag("withSignedRequest"),
    allowIdpInitiated: flag("allowIdpInitiated"),
    isLinkingAllowed: options?.isLinkingAllowed ?? false,
    isCreationAllowed: options?.isCreationAllowed ?? false,
    isAutoCreation: options?.isAutoCreation ?? false,
    isAutoUpdate: options?.isAutoUpdate ?? false,
    isAutoLinking: options?.autoLinking === AutoLinkingOption.EMAIL,
    requireAuthTime: options?.requireAuthTime ?? true,
    trustEmail: options?.trustEmail ?? false,
  };
}

/** The fields of all requests that add or change a provider; each takes those that it has. */
export type ProviderRequest = ReturnType<typeof toRequest>;

export function toRequest(values: ProviderValues) {
  const { scopes, tenant, tenantId, privateKey, metadataUrl, metadataXml, binding, nameIdFormat, ...rest } = values;
  const {
    isLinkingAllowed,
    isCreationAllowed,
    isAutoCreation,
    isAutoUpdate,
    isAutoLinking,
    requireAuthTime,
    trustEmail,
    ...texts
  } = rest;
  const encoder = new TextEncoder();
  return {
    ...texts,
    scopes: scopes.split(/\s+/).filter(Boolean),
    tenant: {
      type:
        tenant === "single"
          ? { case: "tenantId" as const, value: tenantId }
          : { case: "tenantType" as const, value: TENANTS.indexOf(tenant) },
    },
    privateKey: encoder.encode(privateKey),
    metadata:
      metadataUrl === ""
        ? { case: "metadataXml" as const, value: encoder.encode(metadataXml) }
        : { case: "metadataUrl" as const, value: metadataUrl },
    binding: Number(binding),
    nameIdFormat: Number(nameIdFormat),
    providerOptions: {
      ...{ isLinkingAllowed, isCreationAllowed, isAutoCreation, isAutoUpdate, requireAuthTime, trustEmail },
      autoLinking: isAutoLinking ? AutoLinkingOption.EMAIL : AutoLinkingOption.UNSPECIFIED,
    },
  };
}
