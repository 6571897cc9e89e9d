import type { CallOptions } from "@connectrpc/connect";
import { createSignetClient, type SignetClient } from "../../clients/typescript/src/web.ts";

/** The calls of the public API. */
export type Api = SignetClient;

/** @param token Returns the access token of the person who has signed in. */
export function createApi(issuer: string, token: () => string): Api {
  return createSignetClient({ baseUrl: issuer, token });
}

/** The options of a call in an organization. */
export function inOrg(orgId: string, signal?: AbortSignal): CallOptions {
  return { headers: { "x-service-orgid": orgId }, ...(signal && { signal }) };
}
