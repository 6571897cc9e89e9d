import { sql } from "kysely";
import { type Client, type Configuration, errors, type KoaContextWithOIDC } from "oidc-provider";
import { findApi, isIntrospector } from "../apis/find-api.ts";
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
      const ownerId = orgIdOf(client);
      const api = ownerId === null ? undefined : await orUnavailable(() => findApi(db, ownerId, identifier));
      if (api === undefined)
        throw new errors.InvalidTarget("the resource is not an API of the application's organization");
      return { audience: identifier, scope: api.scopes.join(" ") };
    },
  };
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
