import { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";
import { isId } from "../crypto/secrets.ts";
import { trimXmlSpace } from "../fields/trim-xml-space.ts";
import { inOrg } from "./in-org.ts";
import type { MovingApi, Target, TargetOrg } from "./moving-api.ts";
import { readFailure } from "./read-failure.ts";
import { readPages } from "./read-pages.ts";

interface TargetOptions {
  readonly place: string;
  /** The id of the organization that was named; undefined for that of the token, or the default one. */
  readonly orgId: string | undefined;
  /** Organizations by the source's name or id; see `ImportOptions`. */
  readonly orgs: Readonly<Record<string, string>>;
}

/** @throws ConnectError if the organization cannot be read. */
export async function openTarget(api: MovingApi, { place, orgId, orgs }: TargetOptions): Promise<Target> {
  const { org } = await api.management.getMyOrg({}, inOrg(orgId));
  const own: TargetOrg = { id: org?.id ?? "", name: org?.name ?? "" };
  const found = new Map<string, Promise<TargetOrg | undefined>>();
  return {
    api,
    place,
    org: own,
    async findOrg(sourceOrg) {
      const named = sourceOrg !== undefined && Object.hasOwn(orgs, sourceOrg) ? orgs[sourceOrg] : undefined;
      // An organization that was chosen with --org takes all users without one of their own in --org-map.
      if (sourceOrg === undefined || (named === undefined && orgId !== undefined)) return own;
      const name = named ?? sourceOrg;
      const known = found.get(name) ?? findByName(api, name);
      found.set(name, known);
      return await known;
    },
    async listOtherOrgs() {
      if (orgId !== undefined && Object.keys(orgs).length === 0) return [];
      return (await listOrgIds(api)).filter((id) => id !== own.id);
    },
  };
}

async function listOrgIds(api: MovingApi): Promise<string[]> {
  try {
    return (await readPages((query) => api.admin.listOrgs({ query }))).map(({ id }) => id);
  } catch (error) {
    if (readFailure(error).reason !== "PERMISSION_DENIED") throw error;
    return [];
  }
}

async function findByName(api: MovingApi, idOrName: string): Promise<TargetOrg | undefined> {
  const value = { name: trimXmlSpace(idOrName), method: TextQueryMethod.EQUALS_IGNORE_CASE };
  try {
    if (isId(idOrName)) {
      const { org } = await api.management.getMyOrg({}, inOrg(idOrName));
      return org && { id: org.id, name: org.name };
    }
    const { result } = await api.admin.listOrgs({ queries: [{ query: { case: "nameQuery", value } }] });
    const [org] = result;
    return org && { id: org.id, name: org.name };
  } catch (error) {
    const { reason } = readFailure(error);
    if (reason === "ORG_NOT_FOUND" || reason === "PERMISSION_DENIED") return undefined;
    throw error;
  }
}
