import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Org } from "../../gen/signet/v1/org_pb.js";
import { trimText } from "../fields/trim-text.ts";
import { inOrg } from "../moving/in-org.ts";
import { readPages } from "../moving/read-pages.ts";
import { type Api, apiCommand, type JsonOptions } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { print, toRows, toTable } from "./print.ts";

/** `signet org create`: prints the id of the new organization. */
export const createOrgCommand = apiCommand(async (api, { name, json }: JsonOptions & { readonly name: string }) => {
  const { id } = await api.management.addOrg({ name });
  print(json, { id, name: trimText(name) }, [id]);
});

/** `signet org list`. */
export const listOrgsCommand = apiCommand(async (api, { json }: JsonOptions) => {
  const orgs = (await listOrgs(api)).map(({ id, name, details }) => ({
    id,
    name,
    createdAt: details?.creationDate && timestampDate(details.creationDate),
  }));
  print(json, orgs, toTable(["ID", "NAME", "CREATED"], toRows(orgs, "id", "name", "createdAt")));
});

/** `signet org rename`. */
export const renameOrgCommand = apiCommand(
  async (api, { org, name, json }: JsonOptions & { readonly org: string; readonly name: string }) => {
    const id = await findNamedOrg(api, org);
    const { details } = await api.management.updateOrg({ name }, inOrg(id));
    print(json, { id: details?.resourceOwner, name: trimText(name) }, [`renamed to ${trimText(name)}`]);
  },
);

/** All organizations in order of creation. */
export async function listOrgs(api: Api): Promise<Org[]> {
  return await readPages((query) => api.admin.listOrgs({ query }));
}
