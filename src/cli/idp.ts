import type { Message } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { CallOptions } from "@connectrpc/connect";
import { type IDP, IDPOwnerType, IDPState } from "../../gen/signet/v1/idp_config_pb.js";
import { OIDCMappingField, StylingType } from "../../gen/signet/v1/idp_pb.js";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import type { Provider } from "../../gen/signet/v1/provider_pb.js";
import type { Config } from "../config.ts";
import { readEntityId } from "../idps/saml/write-metadata.ts";
import { inOrg } from "../moving/in-org.ts";
import { readPages } from "../moving/read-pages.ts";
import { kindOfType, PROVIDER_KINDS } from "../rpc/provider-kinds.ts";
import { responseUrl } from "../sign-in/provider/idp-urls.ts";
import { samlEntityId } from "../sign-in/provider/saml-sign-in.ts";
import { signedOutUrl } from "../web/sign-in/provider/idp-sign-out.ts";
import { type Api, apiCommand, type ObjectOptions, type OrgOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { type AddIdpOptions, toAddRequest, toIdpKind } from "./new-idp.ts";
import { findOwners, inOrgOf, readOfOwners } from "./owners.ts";
import { print, toLines, toTable } from "./print.ts";
import { readPublicUrl } from "./read-public-url.ts";

/** The service with the providers of an owner, and the options of its calls. */
type Owner = { readonly service: Api["admin"] | Api["management"]; readonly options: CallOptions };

function ofInstance({ admin }: Api): Owner {
  return { service: admin, options: {} };
}

async function findOwner(api: Api, { id, org }: ObjectOptions): Promise<Owner> {
  if (api.isServer && org === undefined) return ofInstance(api);
  const options = await inOrgOf(api, "idp", { id, org });
  return options === api.instance?.options ? ofInstance(api) : { service: api.management, options };
}

/** `signet idp add`: prints what to register at the provider. */
export async function addIdpCommand(configuration: () => Config, kind: string, options: AddIdpOptions): Promise<void> {
  const name = toIdpKind(kind, options);
  const request = toAddRequest(name, options);
  const { org, json } = options;
  await withApi(configuration, options, async (api) => {
    const owner =
      org === undefined ? ofInstance(api) : { service: api.management, options: inOrg(await findNamedOrg(api, org)) };
    const add = owner.service[PROVIDER_KINDS[name].add] as unknown as Add;
    const { id, details } = await add(request, owner.options);
    const url = responseUrl({ publicUrl: await readPublicUrl(configuration, options) }, { id, kind: name });
    print(json, { id, ownerId: details?.resourceOwner, callbackUrl: url }, [
      `id:           ${id}`,
      `callback URL: ${url}`,
    ]);
  });
}

/** The calls have different requests, and the same response. */
type Add = (
  request: Message,
  options: CallOptions,
) => Promise<{ readonly id: string; readonly details?: ObjectDetails | undefined }>;

/** `signet idp list`: on the database, those of the instance and of all organizations, with the owner's name. */
export const listIdpsCommand = apiCommand(async (api, options: OrgOptions) => {
  const { org, json } = options;
  const isOfInstance = api.isServer && org === undefined;
  const owners = isOfInstance ? [INSTANCE] : await findOwners(api, "idp", api.isServer ? org : undefined);
  const idps = await readOfOwners(owners, async ({ options: ofOwner, name }) => {
    const service = name === null ? api.admin : api.management;
    const queries = api.isServer || name === null ? [] : [OF_ORGS];
    const found = await readPages((query) => service.listProviders({ query, queries }, name === null ? {} : ofOwner));
    return found.map((provider) => ({ ...toShownIdp(provider), org: name }));
  });
  const shown = idps.map(({ id, name, kind, state, org, ownerId, issuer, createdAt }) => {
    const owner = api.isServer ? { ownerId } : { org };
    return { id, name, kind, state, ...owner, issuer, createdAt };
  });
  const rows = idps.map(({ id, name, kind, state, org, ownerId = "", issuer }) => {
    const owner = api.isServer ? ownerId : (org ?? "(instance)");
    return [id, name, kind, state, owner, issuer];
  });
  const heading = ["ID", "NAME", "KIND", "STATE", api.isServer ? "OWNER" : "ORG", "ISSUER"];
  print(json, shown, toTable(heading, rows));
});

const INSTANCE = { options: {}, name: null };

/** The list of an organization also has the providers of the instance. */
const OF_ORGS = {
  query: { case: "ownerTypeQuery", value: { ownerType: IDPOwnerType.IDP_OWNER_TYPE_ORG } },
} as const;

/** `signet idp show`. */
export const showIdpCommand = apiCommand(async (api, options: ObjectOptions, configuration) => {
  const owner = await findOwner(api, options);
  const { createdAt, changedAt, ...shown } = toShownIdp(await readProvider(owner, options.id));
  const config = { publicUrl: await readPublicUrl(configuration, options) };
  const all = {
    ...shown,
    ...(!api.isServer && { org: await readOwnerName(api, owner) }),
    ...(await readGeneral(api, owner, options.id)),
    ...(shown.kind === "saml" && { entityId: samlEntityId(config, shown.id) }),
    callbackUrl: responseUrl(config, shown),
    signedOutUrl: signedOutUrl(config, shown.id),
    createdAt,
    changedAt,
  };
  print(options.json, all, toLines({ ...all, ...(all.org === null && { org: "(instance)" }) }));
});

async function readProvider({ service, options }: Owner, id: string): Promise<Provider> {
  const { idp } = await service.getProviderByID({ id }, options);
  if (idp === undefined) throw new Error("the response has no provider");
  return idp;
}

async function readIdp({ admin, management }: Api, { service, options }: Owner, id: string): Promise<IDP> {
  const { idp } = await (service === admin ? admin.getIDPByID({ id }) : management.getOrgIDPByID({ id }, options));
  if (idp === undefined) throw new Error("the response has no provider");
  return idp;
}

/** The settings that a `Provider` does not have. */
async function readGeneral(api: Api, owner: Owner, id: string) {
  const { stylingType, config, federatedLogoutEnabled } = await readIdp(api, owner, id);
  const { usernameMapping = 0, displayNameMapping = 0 } = config.value ?? {};
  return {
    stylingType: StylingType[stylingType],
    usernameMapping: OIDCMappingField[usernameMapping],
    displayNameMapping: OIDCMappingField[displayNameMapping],
    federatedLogoutEnabled,
  };
}

/** Null for the instance. */
async function readOwnerName({ admin, management }: Api, { service, options }: Owner): Promise<string | null> {
  if (service === admin) return null;
  return (await management.getMyOrg({}, options)).org?.name ?? "";
}

interface UpdateIdpOptions extends ObjectOptions {
  /** Undefined to keep the stored value. */
  readonly federatedLogout?: boolean;
}

/** `signet idp update`: reads the provider, because the call replaces all of its general settings. */
export const updateIdpCommand = apiCommand(async (api, options: UpdateIdpOptions) => {
  const { id, federatedLogout, json } = options;
  const owner = await findOwner(api, options);
  const { name, stylingType, autoRegister, ...stored } = await readIdp(api, owner, id);
  const federatedLogoutEnabled = federatedLogout ?? stored.federatedLogoutEnabled;
  const request = { idpId: id, name, stylingType, autoRegister, federatedLogoutEnabled };
  await (owner.service === api.admin
    ? api.admin.updateIDP(request)
    : api.management.updateOrgIDP(request, owner.options));
  print(json, { id, federatedLogoutEnabled }, [`updated ${id}`]);
});

/** `signet idp check`: exits with 1 if users cannot sign in with the provider, as the server sees it. */
export const checkIdpCommand = apiCommand(async (api, options: ObjectOptions) => {
  const owner = await findOwner(api, options);
  const { id, name } = await readProvider(owner, options.id);
  const checked = await owner.service.checkProvider({ id }, owner.options);
  const { problems, warnings, isComplete, callbackUrl } = checked;
  const metadata = Object.fromEntries(checked.metadata.map(({ name, value }) => [name, value]));
  const result = isComplete ? "no problems" : "no problems in what was checked";
  print(options.json, { id, name, problems, warnings, metadata, callbackUrl }, [
    ...Object.entries(metadata).map(([member, value]) => `${member}: ${value}`),
    ...problems.map((problem) => `problem: ${problem}`),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(problems.length === 0 ? [`${result}; the callback URL to register is ${callbackUrl}`] : []),
  ]);
  if (problems.length > 0) process.exitCode = 1;
});

function toShownIdp({ id, details, state, name, type, config }: Provider) {
  const settings = config?.config.value;
  return {
    id,
    ownerId: details?.resourceOwner,
    name,
    kind: kindOfType(type),
    state: state === IDPState.IDP_STATE_ACTIVE ? "active" : "inactive",
    issuer:
      settings && "issuer" in settings
        ? settings.issuer
        : settings && "metadataXml" in settings
          ? readEntityId(Buffer.from(settings.metadataXml).toString("utf8"))
          : "",
    clientId: settings && "clientId" in settings ? settings.clientId : "",
    scopes: settings && "scopes" in settings ? settings.scopes : [],
    autoRegister: config?.options?.isAutoCreation ?? false,
    createdAt: details?.creationDate && timestampDate(details.creationDate),
    changedAt: details?.changeDate && timestampDate(details.changeDate),
  };
}
