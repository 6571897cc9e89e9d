import type { CallOptions } from "@connectrpc/connect";
import { ConfigError } from "../config.ts";
import { inOrg } from "../moving/in-org.ts";
import type { Api } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import type { ObjectKind } from "./operator-access.ts";

interface NamedObject {
  readonly id: string;
  /** Id or name of its organization on a server; undefined for that of the token. */
  readonly org?: string | undefined;
}

/**
 * Returns the options of calls about an object: on a server in the given organization, on the database for the owner of
 * the object.
 *
 * @throws ConfigError if the database has no such object, or no organization has the name.
 */
export async function inOrgOf(api: Api, kind: keyof typeof MISSING, { id, org }: NamedObject): Promise<CallOptions> {
  if (api.instance === undefined) return inOrg(await findNamedOrg(api, org));
  const owner = await api.findOwner(kind, id);
  if (owner === undefined) throw new ConfigError(`${MISSING[kind]} "${id}"`);
  return owner === api.instance.id ? api.instance.options : inOrg(owner);
}

const MISSING = {
  app: "no application has the client id",
  idp: "no identity provider has the id",
  webhook: "no webhook has the id",
  scimConnection: "no SCIM connection has the id",
} satisfies Partial<Record<ObjectKind, string>>;

/** An owner of objects in a list. */
interface Owner {
  /** The options of calls about its objects. */
  readonly options: CallOptions;
  /** Null for the instance; undefined on a server. */
  readonly name?: string | null;
}

/** Finds the owners of the objects in a list: one organization or, on the database without one, all that have some. */
export async function findOwners(api: Api, kind: ObjectKind, org: string | undefined): Promise<readonly Owner[]> {
  const { instance } = api;
  if (instance === undefined || org !== undefined) return [{ options: inOrg(await findNamedOrg(api, org)) }];
  const owners = await instance.listOwners(kind);
  return owners.map(({ id, name }) => ({ options: id === instance.id ? instance.options : inOrg(id), name }));
}

interface Created {
  readonly id: string;
  readonly createdAt: Date | undefined;
}

/** Reads the objects of owners, in the order of their creation. */
export async function readOfOwners<Item extends Created>(
  owners: readonly Owner[],
  read: (owner: Owner) => Promise<Item[]>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (const owner of owners) items.push(...(await read(owner)));
  return items.sort(byCreation);
}

function byCreation(one: Created, other: Created): number {
  const difference = (one.createdAt?.getTime() ?? 0) - (other.createdAt?.getTime() ?? 0);
  return difference || (one.id < other.id ? -1 : 1);
}
