import type { ProviderKind } from "../rpc/messages/provider.ts";
import type { JsonOptions } from "./api.ts";
import { readOptionFile } from "./read-option-file.ts";

/** The options of all kinds. Each kind has some of those that are optional. */
export interface AddIdpOptions extends JsonOptions {
  readonly name: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly privateKeyFile?: string;
  readonly scope?: readonly string[];
  readonly issuer?: string;
  readonly tenant?: string;
  readonly emailVerified?: boolean;
  readonly userIdAttribute?: "sub" | "oid";
  readonly teamId?: string;
  readonly keyId?: string;
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  readonly userEndpoint?: string;
  readonly idAttribute?: string;
  readonly pkce?: boolean;
  readonly idTokenMapping?: boolean;
  readonly metadataFile?: string;
  readonly metadataUrl?: string;
  readonly binding?: "post" | "redirect";
  readonly signedRequests?: boolean;
  readonly nameIdFormat?: "email" | "persistent" | "transient";
  readonly transientAttribute?: string;
  readonly idpInitiated?: boolean;
  /** Id or name of the organization that owns the provider; the instance by default. */
  readonly org?: string;
  readonly linking: boolean;
  readonly creation: boolean;
  readonly autoCreation: boolean;
  readonly autoUpdate: boolean;
  readonly autoLinking: boolean;
  readonly requireAuthTime?: "yes" | "no";
  readonly trustEmail?: boolean;
}

/** GitLab and GitHub have a kind for servers of their own. */
export function toProviderKind(
  kind: string,
  { issuer, authorizationEndpoint, tokenEndpoint, userEndpoint }: AddIdpOptions,
): ProviderKind {
  if (kind === "gitlab") return issuer === undefined ? "gitlab" : "gitlab_self_hosted";
  const endpoints = [authorizationEndpoint, tokenEndpoint, userEndpoint];
  if (kind === "github") return endpoints.every((url) => url === undefined) ? "github" : "github_es";
  return kind as ProviderKind;
}

export function toProviderFields(options: AddIdpOptions) {
  const { clientSecretFile, privateKeyFile, scope, pkce, idTokenMapping, autoLinking, autoCreation, ...rest } = options;
  const {
    linking,
    creation,
    autoUpdate,
    requireAuthTime,
    trustEmail = false,
    org: _,
    json: __,
    url: ___,
    tokenFile: ____,
    ...fields
  } = rest;
  return {
    ...fields,
    scopes: [...(scope ?? [])],
    ...(clientSecretFile !== undefined && {
      clientSecret: readOptionFile("--client-secret-file", clientSecretFile).toString("utf8").trim(),
    }),
    ...(privateKeyFile !== undefined && { privateKey: readOptionFile("--private-key-file", privateKeyFile) }),
    ...(pkce !== undefined && { usePkce: pkce }),
    ...(idTokenMapping !== undefined && { isIdTokenMapping: idTokenMapping }),
    providerOptions: {
      isLinkingAllowed: linking || autoLinking,
      isCreationAllowed: creation || autoCreation,
      isAutoCreation: autoCreation,
      isAutoUpdate: autoUpdate,
      autoLinksByEmail: autoLinking,
      trustEmail,
      ...(requireAuthTime !== undefined && { requireAuthTime: requireAuthTime === "yes" }),
    },
  };
}

/** The same for a SAML provider. */
export function toSamlProviderFields(options: AddIdpOptions) {
  const { name, metadataFile, metadataUrl, binding, signedRequests, nameIdFormat, transientAttribute } = options;
  return {
    name,
    metadata: metadataFile === undefined ? metadataUrl : readOptionFile("--metadata-file", metadataFile),
    binding: binding ?? ("unspecified" as const),
    withSignedRequest: signedRequests ?? false,
    nameIdFormat: nameIdFormat ?? ("unspecified" as const),
    transientMappingAttributeName: transientAttribute ?? "",
    allowIdpInitiated: options.idpInitiated ?? false,
    providerOptions: toProviderFields(options).providerOptions,
  };
}
