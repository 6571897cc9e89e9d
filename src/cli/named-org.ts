import { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";
import { ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import { trimText } from "../fields/trim-text.ts";
import type { Api } from "./api.ts";

/**
 * Finds an organization by its id, without a call, or by its name, with one search.
 *
 * @returns Undefined for undefined: the organization of the token, or the default one of the database.
 * @throws ConfigError if no organization has the name.
 */
export async function findNamedOrg(api: Api, idOrName: string | undefined): Promise<string | undefined> {
  if (idOrName === undefined || isId(idOrName)) return idOrName;
  const value = { name: trimText(idOrName), method: TextQueryMethod.EQUALS_IGNORE_CASE };
  const { result } = await api.admin.listOrgs({ queries: [{ query: { case: "nameQuery", value } }] });
  const [org] = result;
  if (org === undefined) throw new ConfigError(`no organization has the id or name "${idOrName}"`);
  return org.id;
}
