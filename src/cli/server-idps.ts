import type { Message } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { CallOptions } from "@connectrpc/connect";
import { IDPState } from "../../gen/signet/v1/idp_config_pb.js";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import type { Provider } from "../../gen/signet/v1/provider_pb.js";
import type { Config } from "../config.ts";
import type { IdpKind } from "../idps/kinds.ts";
import { inOrg } from "../moving/in-org.ts";
import { PROVIDER_KINDS } from "../rpc/provider-kinds.ts";
import { createAddRequest, createAddSamlRequest } from "../rpc/requests/provider.ts";
import { responseUrl } from "../sign-in/idp-urls.ts";
import { samlEntityId } from "../sign-in/saml-sign-in.ts";
import { signedOutUrl } from "../web/sign-in/idp-sign-out.ts";
import { type Api, type ApiOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { type AddIdpOptions, toProviderFields, toProviderKind, toSamlProviderFields } from "./new-idp.ts";
import { print, toLines, toTable } from "./print.ts";
import { printNewIdp } from "./print-new-idp.ts";
import { readPages } from "./read-pages.ts";
import { readPublicUrl } from "./read-public-url.ts";

/*
 * The commands `signet idp …` on a running server. They print the same as on the database as far as the API returns it.
 * Without an organization, they reach the providers of the instance.
 */

export interface ServerIdpOptions extends ApiOptions {
  /** Id or name of the organization that owns the provider; undefined for the instance. */
  readonly org?: string;
  readonly json: boolean;
}

export interface OneIdpOptions extends ServerIdpOptions {
  readonly id: string;
}

/** The service with the providers of an owner, and the options of its calls. */
export async function openOwner(api: Api, org: string | undefined) {
  return org === undefined
    ? { service: api.admin, options: {} }
    : { service: api.management, options: inOrg(await findNamedOrg(api, org)) };
}

/** `signet idp add --url`: prints what to register at the provider. */
export async function addIdpOnServer(configuration: () => Config, kind: string, options: AddIdpOptions): Promise<void> {
  const name: IdpKind = kind === "saml" ? kind : toProviderKind(kind, options);
  const request =
    name === "saml"
      ? createAddSamlRequest(toSamlProviderFields(options))
      : createAddRequest(name, toProviderFields(options));
  await withApi(configuration, options, async (api) => {
    const owner = await openOwner(api, options.org);
    const add = owner.service[ADD[name]] as unknown as Add;
    const { id, details } = await add(request, owner.options);
    const config = { publicUrl: await readPublicUrl(options) };
    printNewIdp(options.json, config, { id, kind: name, ownerId: details?.resourceOwner });
  });
}

/** The calls have different requests, and the same response. */
type Add = (
  request: Message,
  options: CallOptions,
) => Promise<{ readonly id: string; readonly details?: ObjectDetails | undefined }>;

const ADD = {
  oidc: "addGenericOIDCProvider",
  google: "addGoogleProvider",
  azure: "addAzureADProvider",
  apple: "addAppleProvider",
  gitlab: "addGitLabProvider",
  gitlab_self_hosted: "addGitLabSelfHostedProvider",
  github: "addGitHubProvider",
  github_es: "addGitHubEnterpriseServerProvider",
  oauth: "addGenericOAuthProvider",
  saml: "addSAMLProvider",
} as const satisfies Record<IdpKind, keyof Api["admin"] & keyof Api["management"]>;

/** `signet idp list --url`. */
export async function listIdpsOnServer(configuration: () => Config, options: ServerIdpOptions): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const idps = (await listProviders(api, options.org)).map((provider) => {
      const { id, name, kind, state, ownerId, issuer, createdAt } = toShownIdp(provider);
      return { id, name, kind, state, ownerId, issuer, createdAt };
    });
    const rows = idps.map(({ id, name, kind, state, ownerId, issuer }) => [
      id,
      name,
      kind,
      state,
      ownerId ?? "",
      issuer,
    ]);
    print(options.json, idps, toTable(["ID", "NAME", "KIND", "STATE", "OWNER", "ISSUER"], rows));
  });
}

/** All providers in order of creation. */
async function listProviders(api: Api, org: string | undefined): Promise<Provider[]> {
  const { service, options } = await openOwner(api, org);
  return await readPages((query) => service.listProviders({ query }, options));
}

/** `signet idp show --url`. */
export async function showIdpOnServer(configuration: () => Config, options: OneIdpOptions): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const shown = toShownIdp(await findProvider(api, options));
    const config = { publicUrl: await readPublicUrl(options) };
    const all = {
      ...shown,
      ...(shown.kind === "saml" && { entityId: samlEntityId(config, shown.id) }),
      callbackUrl: responseUrl(config, shown),
      signedOutUrl: signedOutUrl(config, shown.id),
    };
    print(options.json, all, toLines(all));
  });
}

export async function findProvider(api: Api, { id, org }: OneIdpOptions): Promise<Provider> {
  const { service, options } = await openOwner(api, org);
  const { idp } = await service.getProviderByID({ id }, options);
  if (idp === undefined) throw new Error("the response has no provider");
  return idp;
}

interface UpdateIdpOptions extends OneIdpOptions {
  /** Undefined to keep the stored value. */
  readonly federatedLogout?: boolean;
}

/** `signet idp update --url`: reads the provider, because the call replaces all of its general settings. */
export async function updateIdpOnServer(configuration: () => Config, options: UpdateIdpOptions): Promise<void> {
  const { id, org, federatedLogout, json } = options;
  await withApi(configuration, options, async (api) => {
    const { admin, management } = api;
    const of = org === undefined ? {} : inOrg(await findNamedOrg(api, org));
    const { idp } = await (org === undefined ? admin.getIDPByID({ id }) : management.getOrgIDPByID({ id }, of));
    if (idp === undefined) throw new Error("the response has no provider");
    const { name, stylingType, autoRegister } = idp;
    const federatedLogoutEnabled = federatedLogout ?? idp.federatedLogoutEnabled;
    const request = { idpId: id, name, stylingType, autoRegister, federatedLogoutEnabled };
    await (org === undefined ? admin.updateIDP(request) : management.updateOrgIDP(request, of));
    print(json, { id, federatedLogoutEnabled }, [`updated ${id}`]);
  });
}

/** A provider as on the database. */
export function toShownIdp({ id, details, state, name, type, config }: Provider) {
  const [kind = "oidc"] = Object.entries(PROVIDER_KINDS)
    .filter(([, each]) => each.type === type)
    .map(([each]) => each as IdpKind);
  const settings = config?.config.value;
  return {
    id,
    ownerId: details?.resourceOwner,
    name,
    kind,
    state: state === IDPState.IDP_STATE_ACTIVE ? "active" : "inactive",
    issuer: settings && "issuer" in settings ? settings.issuer : "",
    clientId: settings && "clientId" in settings ? settings.clientId : "",
    scopes: settings && "scopes" in settings ? settings.scopes : [],
    autoRegister: config?.options?.isAutoCreation ?? false,
    createdAt: details?.creationDate && timestampDate(details.creationDate),
    changedAt: details?.changeDate && timestampDate(details.changeDate),
  };
}
