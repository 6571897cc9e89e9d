import { create, type DescMessage, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { AdminService } from "../../gen/signet/v1/admin_pb.js";
import { AutoLinkingOption } from "../../gen/signet/v1/provider_pb.js";
import type { IdpKind, IdpSettings, KindSetting } from "../idps/kinds.ts";
import {
  numberOf,
  PROVIDER_KINDS,
  SAML_BINDINGS,
  SAML_NAME_ID_FORMATS,
  toTenant,
  USER_ID_ATTRIBUTES,
} from "../rpc/provider-kinds.ts";
import type { JsonOptions } from "./api.ts";
import { readOptionFile } from "./read-option-file.ts";

/** The options of all kinds. Each kind has some of those that are optional. */
export interface AddIdpOptions
  extends JsonOptions,
    Omit<Pick<IdpSettings, KindSetting | "trustEmail">, "isIdTokenMapping" | "usePkce"> {
  readonly name: string;
  readonly clientId?: string;
  readonly clientSecretFile?: string;
  readonly privateKeyFile?: string;
  readonly scope?: readonly string[];
  readonly issuer?: string;
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
}

/** GitLab and GitHub have a kind for servers of their own. */
export function toIdpKind(
  kind: string,
  { issuer, authorizationEndpoint, tokenEndpoint, userEndpoint }: AddIdpOptions,
): IdpKind {
  if (kind === "gitlab") return issuer === undefined ? "gitlab" : "gitlab_self_hosted";
  const endpoints = [authorizationEndpoint, tokenEndpoint, userEndpoint];
  if (kind === "github") return endpoints.every((url) => url === undefined) ? "github" : "github_es";
  return kind as IdpKind;
}

/** The request that adds a provider. */
export function toAddRequest(kind: IdpKind, options: AddIdpOptions): Message {
  const { linking, creation, autoCreation, autoUpdate, autoLinking, requireAuthTime, trustEmail = false } = options;
  const fields = {
    ...(kind === "saml" ? toSamlFields(options) : toClientFields(options)),
    providerOptions: {
      isLinkingAllowed: linking || autoLinking,
      isCreationAllowed: creation || autoCreation,
      isAutoCreation: autoCreation,
      isAutoUpdate: autoUpdate,
      autoLinking: autoLinking ? AutoLinkingOption.EMAIL : AutoLinkingOption.UNSPECIFIED,
      trustEmail,
      ...(requireAuthTime !== undefined && { requireAuthTime: requireAuthTime === "yes" }),
    },
  };
  // The message takes only what has the name of one of its fields.
  const request = AdminService.method[PROVIDER_KINDS[kind].add].input as DescMessage;
  return create(request, fields as MessageInitShape<DescMessage>);
}

function toClientFields(options: AddIdpOptions) {
  const { clientSecretFile, privateKeyFile, scope = [], pkce, idTokenMapping, tenant, userIdAttribute } = options;
  return {
    ...options,
    scopes: [...scope],
    usePkce: pkce,
    isIdTokenMapping: idTokenMapping,
    tenant: tenant === undefined ? undefined : toTenant(tenant),
    userIdAttribute: userIdAttribute && numberOf(USER_ID_ATTRIBUTES, userIdAttribute),
    ...(clientSecretFile !== undefined && {
      clientSecret: readOptionFile("--client-secret-file", clientSecretFile).toString("utf8").trim(),
    }),
    ...(privateKeyFile !== undefined && { privateKey: readOptionFile("--private-key-file", privateKeyFile) }),
  };
}

function toSamlFields(options: AddIdpOptions) {
  const { name, metadataFile, metadataUrl, binding, signedRequests, nameIdFormat, transientAttribute } = options;
  return {
    name,
    metadata:
      metadataFile === undefined
        ? { case: metadataUrl === undefined ? undefined : "metadataUrl", value: metadataUrl }
        : { case: "metadataXml", value: new Uint8Array(readOptionFile("--metadata-file", metadataFile)) },
    binding: numberOf(SAML_BINDINGS, binding),
    withSignedRequest: signedRequests,
    nameIdFormat: numberOf(SAML_NAME_ID_FORMATS, nameIdFormat),
    transientMappingAttributeName: transientAttribute,
    allowIdpInitiated: options.idpInitiated,
  };
}
