import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Org } from "../../gen/signet/v1/org_pb.js";
import type { Config } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import { type Api, type ApiOptions, withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { print, toTable } from "./print.ts";
import { readPages } from "./read-pages.ts";

/** `signet org create`: prints the id of the new organization. */
export async function createOrgCommand(
  configuration: () => Config,
  { name, json, ...options }: ApiOptions & { readonly name: string; readonly json: boolean },
): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const { id } = await api.management.addOrg({ name });
    print(json, { id, name: name.trim() }, [id]);
  });
}

/** `signet org list`. */
export async function listOrgsCommand(
  configuration: () => Config,
  { json, ...options }: ApiOptions & { readonly json: boolean },
): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const orgs = (await listOrgs(api)).map(({ id, name, details }) => ({
      id,
      name,
      createdAt: details?.creationDate && timestampDate(details.creationDate),
    }));
    const rows = orgs.map(({ id, name, createdAt }) => [id, name, createdAt?.toISOString() ?? ""]);
    print(json, orgs, toTable(["ID", "NAME", "CREATED"], rows));
  });
}

/** `signet org rename`. */
export async function renameOrgCommand(
  configuration: () => Config,
  { org, name, json, ...options }: ApiOptions & { readonly org: string; readonly name: string; readonly json: boolean },
): Promise<void> {
  await withApi(configuration, options, async (api) => {
    const id = await findNamedOrg(api, org);
    const { details } = await api.management.updateOrg({ name }, inOrg(id));
    print(json, { id: details?.resourceOwner, name: name.trim() }, [`renamed to ${name.trim()}`]);
  });
}

/** All organizations in order of creation. */
export async function listOrgs(api: Api): Promise<Org[]> {
  return await readPages((query) => api.admin.listOrgs({ query }));
}
