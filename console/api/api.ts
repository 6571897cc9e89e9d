import type { CallOptions } from "@connectrpc/connect";
import { createSignetClient, type SignetClient } from "../../clients/typescript/src/web.ts";
import { TextQueryMethod } from "../../gen/signet/v1/list_pb.js";

/** The calls of the public API. */
export type Api = SignetClient;

/** @param token Returns the access token of the person who has signed in. */
export function createApi(issuer: string, token: () => string): Api {
  return createSignetClient({ baseUrl: issuer, token });
}

/** The options of a call in an organization; without one, of a call for the instance. */
export function inOrg(orgId: string | undefined, signal?: AbortSignal): CallOptions {
  return { ...(orgId !== undefined && { headers: { "x-service-orgid": orgId } }), ...(signal && { signal }) };
}

/** The queries of a list for the names that contain a text; none if it is empty. */
export function byName(name: string) {
  const value = { name, method: TextQueryMethod.CONTAINS_IGNORE_CASE };
  return name === "" ? [] : [{ query: { case: "nameQuery" as const, value } }];
}
