import { sql } from "kysely";
import { type Client, type Configuration, errors, type KoaContextWithOIDC } from "oidc-provider";
import { findApi, isIntrospector, type RequestedApi } from "../apis/find-api.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { orgIdOf } from "./clients.ts";
import { orUnavailable } from "./unavailable.ts";

type ResourceIndicators = NonNullable<NonNullable<Configuration["features"]>["resourceIndicators"]>;

/** Each one is a look-up. Strangers can send requests for authorization. */
const MAX_RESOURCES = 5;

/**
 * APIs as audiences of access tokens (RFC 8707): those of the organization that owns the application. A token has one
 * audience: a request for it names one of the APIs of the authorization, unless that has only one.
 */
export function createResourceIndicators(db: Database): ResourceIndicators {
  return {
    enabled: true,
    // The APIs of the authorization; undefined for none. The provider rejects several.
    defaultResource: async (_ctx, _client, granted) => granted as string[],
    useGrantedResource: async () => true,
    async getResourceServerInfo({ oidc }: KoaContextWithOIDC, identifier: string, client: Client) {
      const asked = [oidc.params?.resource].flat();
      if (asked.length > MAX_RESOURCES)
        throw new errors.InvalidTarget(`at most ${MAX_RESOURCES} resources are allowed`);
      const { scopes } = await findApiOf(db, client, identifier);
      return { audience: identifier, scope: scopes.join(" ") };
    },
  };
}

/** @throws InvalidTarget for a resource that is not an API of the application's organization. */
async function findApiOf(db: Database, client: Client, identifier: string): Promise<RequestedApi> {
  const ownerId = orgIdOf(client);
  const api = ownerId === null ? undefined : await orUnavailable(() => findApi(db, ownerId, identifier));
  if (api === undefined) throw new errors.InvalidTarget("the resource is not an API of the application's organization");
  return api;
}

/**
 * Checks the API for which a refresh token is about to get an access token. The provider checks it only after it has used
 * up the refresh token, so a request for a wrong one would end the sign-in to the application.
 *
 * @param token Of any kind, found by the request.
 * @throws InvalidTarget like the provider.
 */
export async function checkRefreshedResource(
  db: Database,
  { oidc }: KoaContextWithOIDC,
  token: { readonly kind: string; readonly resource?: string | string[] | undefined } | undefined,
): Promise<void> {
  const { route, client, params } = oidc;
  if (route !== "token" || client === undefined || token?.kind !== "RefreshToken") return;
  const granted = [token.resource ?? []].flat();
  const [identifier, ...others] = [(params?.resource as string | string[] | undefined) || granted].flat();
  if (identifier === undefined) return;
  if (others.length > 0) throw new errors.InvalidTarget("the request must name one API of the authorization");
  if (!granted.includes(identifier)) throw new errors.InvalidTarget("the resource is not an API of the authorization");
  await findApiOf(db, client, identifier);
}

/** Whether an application may introspect tokens with an audience. */
export async function mayIntrospectAudience(db: Database, client: Client, audience: string): Promise<boolean> {
  const ownerId = orgIdOf(client);
  if (ownerId === null || !isId(client.clientId)) return false;
  const values = { ownerId, appId: client.clientId, audience };
  const [row] = await orUnavailable(() => selectIntrospector(db, values));
  return row?.may ?? false;
}

const selectIntrospector = prepareStatement<{ ownerId: string; appId: string; audience: string }, { may: boolean }>(
  (db, param) => {
    const app = { id: param("appId", "uuid"), ownerId: param("ownerId", "uuid") };
    return db.selectNoFrom(sql<boolean>`${isIntrospector(param("audience", "text"), app)}`.as("may"));
  },
);
