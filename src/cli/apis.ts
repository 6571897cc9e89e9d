import { toJson } from "@bufbuild/protobuf";
import { type API, GetAPIByIDResponseSchema, ListAPIsResponseSchema } from "../../gen/signet/v1/api_pb.js";
import { type Config, ConfigError } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import { type Api, apiCommand, confirmedCommand, type ObjectOptions, type OrgOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { print, toLines, toRows, toTable } from "./print.ts";
import { toTime } from "./user-table.ts";

interface AddOptions extends OrgOptions {
  readonly name: string;
  readonly identifier: string;
  readonly scope: readonly string[];
  /** Client ids. */
  readonly introspector: readonly string[];
  readonly unregisteredClients: boolean;
}

/** `signet api add`. */
export const addApiCommand = apiCommand(async (api, options: AddOptions) => {
  const { name, identifier, scope, introspector, unregisteredClients: allowsUnregisteredClients } = options;
  const lists = { scopes: [...scope], introspectorAppIds: [...introspector] };
  const request = { name, identifier, ...lists, allowsUnregisteredClients };
  const { id, details } = await api.management.addAPI(request, inOrg(await findNamedOrg(api, options.org)));
  print(options.json, { id, orgId: details?.resourceOwner }, [id]);
});

/** `signet api list`: at most 1,000, as in the response of ListAPIs. */
export const listApisCommand = apiCommand(async (api, options: OrgOptions) => {
  const orgId = await findNamedOrg(api, options.org);
  const response = await api.management.listAPIs({ query: { asc: true, limit: 1_000 } }, inOrg(orgId));
  const rows = toRows(response.result, "id", "name", "identifier", "scopes");
  print(options.json, toJson(ListAPIsResponseSchema, response), toTable(["ID", "NAME", "IDENTIFIER", "SCOPES"], rows));
});

/** `signet api show`. */
export const showApiCommand = apiCommand(async (api, options: ObjectOptions) => {
  const response = await api.management.getAPIByID({ id: options.id }, inOrg(await findOrg(api, options)));
  print(options.json, toJson(GetAPIByIDResponseSchema, response), toLines(response.api ? toFacts(response.api) : {}));
});

interface UpdateOptions extends ObjectOptions {
  readonly name?: string;
  /** False for none; undefined to keep them. */
  readonly scope?: readonly string[] | false;
  readonly introspector?: readonly string[] | false;
  readonly unregisteredClients?: boolean;
}

/** `signet api update`: UpdateAPI replaces all settings, so those that are not given are read before. */
export async function updateApiCommand(configuration: () => Config, options: UpdateOptions): Promise<void> {
  const { id, name, scope, introspector, unregisteredClients } = options;
  if ([name, scope, introspector, unregisteredClients].every((option) => option === undefined)) {
    throw new ConfigError("give at least one option with a change");
  }
  await withApi(configuration, options, async (api) => {
    const callOptions = inOrg(await findOrg(api, options));
    const { api: stored } = await api.management.getAPIByID({ id }, callOptions);
    const request = {
      id,
      name: name ?? stored?.name ?? "",
      scopes: [...(scope === undefined ? (stored?.scopes ?? []) : scope || [])],
      introspectorAppIds: [...(introspector === undefined ? (stored?.introspectorAppIds ?? []) : introspector || [])],
      allowsUnregisteredClients: unregisteredClients ?? stored?.allowsUnregisteredClients ?? false,
    };
    const { details } = await api.management.updateAPI(request, callOptions);
    print(options.json, { id, orgId: details?.resourceOwner }, [`updated ${id}`]);
  });
}

/** `signet api remove`. */
export const removeApiCommand = confirmedCommand(async (api, options: ObjectOptions, confirm) => {
  const { id } = options;
  await confirm(`Remove the API ${id}? Applications get no tokens for it any more.`);
  const { details } = await api.management.removeAPI({ id }, inOrg(await findOrg(api, options)));
  print(options.json, { id, orgId: details?.resourceOwner }, [`removed ${id}`]);
});

/** The named organization or, on the database, that of the API. */
async function findOrg(api: Api, { org, id }: Pick<ObjectOptions, "org" | "id">): Promise<string | undefined> {
  return (await findNamedOrg(api, org)) ?? (await api.findOwner("api", id));
}

function toFacts({ id, details, name, identifier, scopes, introspectorAppIds, allowsUnregisteredClients }: API) {
  const [created, changed] = [toTime(details?.creationDate), toTime(details?.changeDate)];
  const settings = { scopes, introspectorAppIds, allowsUnregisteredClients };
  return { id, org: details?.resourceOwner ?? "", name, identifier, ...settings, created, changed };
}
