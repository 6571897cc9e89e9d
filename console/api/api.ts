import { createSignetClient, type SignetClient } from "../../clients/typescript/src/web.ts";
import { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";
import type { MovingApi } from "../../src/moving/moving-api.ts";

/** The calls of the public API. */
export type Api = SignetClient;

/** The same for the code that the import shares with the command. */
export function toMovingApi({ admin, management }: Api): MovingApi {
  return { admin, management, isServer: true };
}

/** @returns The calls in an organization; without an id, in that of the person who has the token. */
export function createApi(baseUrl: string, token: string): (orgId?: string) => Api {
  const ofOrgs = new Map<string | undefined, Api>();
  return (orgId) => {
    const api = ofOrgs.get(orgId) ?? createSignetClient({ baseUrl, token, orgId });
    ofOrgs.set(orgId, api);
    return api;
  };
}

/** The queries of a list for the names that contain a text; none if it is empty. */
export function byName(name: string) {
  const value = { name, method: TextQueryMethod.CONTAINS_IGNORE_CASE };
  return name === "" ? [] : [{ query: { case: "nameQuery" as const, value } }];
}
