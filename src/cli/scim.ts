import { timestampDate } from "@bufbuild/protobuf/wkt";
import {
  ScimAddressRule,
  type ScimConnection,
  ScimLinkAttribute,
  type ScimRequest,
} from "../../gen/signet/v1/scim_pb.js";
import { inOrg } from "../moving/in-org.ts";
import { readPages } from "../moving/read-pages.ts";
import { apiCommand, confirmedCommand, type ObjectOptions, type OrgOptions } from "./api.ts";
import { given } from "./given.ts";
import { findNamedOrg } from "./named-org.ts";
import { findOwners, inOrgOf, readOfOwners } from "./owners.ts";
import { nameOf, print, toRows, toTable } from "./print.ts";
import { readPublicUrl } from "./read-public-url.ts";

/** `signet scim list`. */
export const listScimCommand = apiCommand(async (api, options: OrgOptions) => {
  const owners = await findOwners(api, "scimConnection", options.org);
  const connections = await readOfOwners(owners, async (owner) =>
    (await readPages((query) => api.management.listScimConnections({ query }, owner.options))).map(toShownConnection),
  );
  const shown = connections.map((each) => ({
    ...each,
    isTrial: each.isTrial ? "yes" : "no",
    lastUsedAt: each.lastUsedAt ?? "never",
  }));
  const rows = toRows(shown, "id", "name", "orgId", "isTrial", "lastUsedAt");
  print(options.json, connections, toTable(["ID", "NAME", "ORG", "TRIAL", "LAST USED"], rows));
});

function toShownConnection(connection: ScimConnection) {
  const { id, name, details, addressRule, idpId, linkAttribute, linkPath, groupAppId, isTrial } = connection;
  const { lastUsedDate, previousTokenExpirationDate } = connection;
  return {
    id,
    name,
    orgId: details?.resourceOwner,
    addresses: nameOf(ADDRESS_RULES, addressRule),
    idpId: idpId || null,
    linkAttribute: linkPath || (linkAttribute === ScimLinkAttribute.USER_NAME ? "userName" : "externalId"),
    groupAppId: groupAppId || null,
    isTrial,
    lastUsedAt: lastUsedDate ? timestampDate(lastUsedDate) : null,
    previousTokenEndsAt: previousTokenExpirationDate ? timestampDate(previousTokenExpirationDate) : null,
    createdAt: details?.creationDate && timestampDate(details.creationDate),
  };
}

const ADDRESS_RULES = {
  invite: ScimAddressRule.INVITE,
  silent: ScimAddressRule.SILENT,
  reject: ScimAddressRule.REJECT,
};

/** A new connection has the default of those that are not given; others keep them. */
interface SettingsOptions {
  readonly name?: string;
  readonly idp?: string;
  readonly linkAttribute?: string;
  readonly addresses?: keyof typeof ADDRESS_RULES;
  readonly groupApp?: string;
  readonly trial?: boolean;
}

type AddScimOptions = OrgOptions & SettingsOptions & { readonly name: string };

/** `signet scim add`: prints what to enter in the directory. The token cannot be shown again. */
export const addScimCommand = apiCommand(async (api, options: AddScimOptions, configuration) => {
  const url = `${await readPublicUrl(configuration, options)}/scim/v2`;
  const { id, token } = await api.management.addScimConnection(
    toSettings(options),
    inOrg(await findNamedOrg(api, options.org)),
  );
  print(options.json, { id, url, token }, [`id:    ${id}`, `url:   ${url}`, `token: ${token}`]);
});

/** `signet scim update`. */
export const updateScimCommand = apiCommand(async (api, options: ObjectOptions & SettingsOptions) => {
  const { id, json } = options;
  const callOptions = await inOrgOf(api, "scimConnection", options);
  const { connection } = await api.management.getScimConnection({ id }, callOptions);
  if (connection === undefined) throw new Error("the response has no connection");
  const { name, addressRule, idpId, linkAttribute, linkPath, groupAppId, isTrial } = connection;
  const stored = { name, addressRule, idpId, linkAttribute, linkPath, groupAppId, isTrial };
  await api.management.updateScimConnection({ id, ...stored, ...toSettings(options) }, callOptions);
  print(json, { id }, [`updated ${id}`]);
});

/** The settings of a request, without those that are not given. */
function toSettings({ name, idp, linkAttribute, addresses, groupApp, trial }: SettingsOptions) {
  const addressRule = addresses && ADDRESS_RULES[addresses];
  const settings = given({ name, idpId: idp, addressRule, groupAppId: groupApp, isTrial: trial });
  return { ...settings, ...(linkAttribute !== undefined && toLink(linkAttribute)) };
}

function toLink(attribute: string) {
  if (attribute === "externalId") return { linkAttribute: ScimLinkAttribute.EXTERNAL_ID, linkPath: "" };
  if (attribute === "userName") return { linkAttribute: ScimLinkAttribute.USER_NAME, linkPath: "" };
  return { linkAttribute: ScimLinkAttribute.CUSTOM, linkPath: attribute };
}

/** `signet scim rotate`: prints the new token. */
export const rotateScimCommand = apiCommand(async (api, { id, org, json }: ObjectOptions) => {
  const { token } = await api.management.rotateScimToken({ id }, await inOrgOf(api, "scimConnection", { id, org }));
  print(json, { id, token }, [token]);
});

/** `signet scim remove`. */
export const removeScimCommand = confirmedCommand(async (api, options: ObjectOptions, confirm) => {
  const { id } = options;
  const callOptions = await inOrgOf(api, "scimConnection", options);
  const { connection } = await api.management.getScimConnection({ id }, callOptions);
  await confirm(`Remove ${connection?.name} (${id})? Its tokens end at once. The users that it has sent are kept.`);
  await api.management.removeScimConnection({ id }, callOptions);
  print(options.json, { id }, [`removed ${id}`]);
});

interface RequestsOptions extends ObjectOptions {
  readonly failed: boolean;
  readonly limit: number;
}

/** `signet scim requests`: the latest ones, the latest last. */
export const listScimRequestsCommand = apiCommand(async (api, options: RequestsOptions) => {
  const { id, failed: failedOnly, limit } = options;
  const request = { id, failedOnly, query: { asc: false, limit } };
  const { result } = await api.management.listScimRequests(request, await inOrgOf(api, "scimConnection", options));
  const requests = result.reverse().map(toShownRequest);
  const shown = requests.map((each) => ({ ...each, request: `${each.method} ${each.path}` }));
  const rows = toRows(shown, "createdAt", "request", "status", "outcome", "detail");
  print(options.json, requests, toTable(["TIME", "REQUEST", "STATUS", "OUTCOME", "DETAIL"], rows));
});

function toShownRequest(request: ScimRequest) {
  const { id, creationDate, method, path, status, outcome, detail, userId, sender } = request;
  return {
    id,
    createdAt: creationDate && timestampDate(creationDate),
    ...{ method, path, status, outcome },
    detail: detail || null,
    userId: userId || null,
    sender: sender || null,
  };
}
