import { type Client, type Configuration, errors, type KoaContextWithOIDC } from "oidc-provider";
import { findApi, type RequestedApi } from "../apis/find-api.ts";
import type { Database } from "../database/database.ts";
import { isDocumentId } from "./client-documents.ts";
import { orgIdOf } from "./clients.ts";
import { orUnavailable } from "./unavailable.ts";

type ResourceIndicators = NonNullable<NonNullable<Configuration["features"]>["resourceIndicators"]>;

/** Each one is a look-up. Strangers can send requests for authorization. */
const MAX_RESOURCES = 5;

/**
 * APIs as audiences of access tokens (RFC 8707): those of the organization that owns the application, or of the user's
 * organization for a client that nobody registers (`client-documents.ts`). A token has one audience: a request for it names
 * one of the APIs of the authorization, unless that has only one.
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
      // Since the user signed in, another organization may have added an API with the identifier.
      const userOrgId = oidc.route === "token" ? oidc.account?.orgId : undefined;
      const { scopes } = await findApiOf(db, client, identifier, userOrgId as string | undefined);
      return { audience: identifier, scope: scopes.join(" ") };
    },
  };
}

/**
 * Finds the organization whose users sign in to a client that nobody registers: the owner of the API for which it asks.
 *
 * @throws InvalidTarget unless it asks for one that allows such clients.
 */
export async function findOwnerOfApi(db: Database, resource: unknown): Promise<string> {
  const [identifier, ...others] = [resource ?? []].flat();
  const api = typeof identifier === "string" && others.length === 0 ? await findApi(db, null, identifier) : undefined;
  if (!api?.allowsUnregisteredClients) throw noApiForUnregistered();
  return api.ownerId;
}

/**
 * @param userOrgId Undefined if the user is not known yet.
 * @throws InvalidTarget for a resource that is not an API of the application's organization.
 */
async function findApiOf(db: Database, client: Client, identifier: string, userOrgId?: string): Promise<RequestedApi> {
  const isOfDocument = isDocumentId(client.clientId);
  const ownerId = isOfDocument ? (userOrgId ?? null) : orgIdOf(client);
  const isOfInstance = ownerId === null && !isOfDocument;
  const api = isOfInstance ? undefined : await orUnavailable(() => findApi(db, ownerId, identifier));
  if (api === undefined) throw new errors.InvalidTarget("the resource is not an API of the application's organization");
  if (isOfDocument && !api.allowsUnregisteredClients) throw noApiForUnregistered();
  return api;
}

function noApiForUnregistered(): Error {
  return new errors.InvalidTarget("a client that is not registered must ask for one API that allows such clients");
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
