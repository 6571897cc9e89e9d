import { decodeJwt } from "jose/jwt/decode";
import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";

/**
 * Checks a request object (RFC 9101) before its signature is verified with a registered key of the application.
 *
 * @throws InvalidRequestObject if the application has no such key. Keys at a URL are fetched only for pushed requests, in
 *   which the application authenticates itself (see `createClientKeys`).
 */
export async function checkRequestObject(
  { oidc }: KoaContextWithOIDC,
  _payload: unknown,
  _header: unknown,
  client: Client,
): Promise<void> {
  // It was checked when it was pushed.
  if (oidc.entities.PushedAuthorizationRequest !== undefined) return;
  if (client.clientAuthMethod !== "private_key_jwt") {
    throw new errors.InvalidRequestObject("the application has no key to verify a request object");
  }
  const { keys = [] } = (client.jwks ?? {}) as { keys?: unknown[] };
  if (keys.length > 0) return;
  throw new errors.InvalidRequestObject(
    "the keys at the URL of the application verify pushed requests only, or were not fetched",
  );
}

/**
 * The scope as the application sent it, because oidc-provider changes the parameter: in the request object, pushed or not,
 * which alone counts if there is one (RFC 9101, section 6.3), or else in the query or the form.
 */
export function readSentScope({ query, oidc }: KoaContextWithOIDC): string {
  const sent = (oidc.route === "authorization" ? query : oidc.body) as Record<string, unknown> | undefined;
  const object = oidc.entities.PushedAuthorizationRequest?.request ?? sent?.request;
  // An empty parameter counts as none (RFC 6749, section 3.1).
  const scope = typeof object === "string" && object !== "" ? decodeJwt(object).scope : sent?.scope;
  return typeof scope === "string" ? scope : "";
}
