import { type Client, errors, Provider } from "oidc-provider";
import { compareSecret } from "./client-metadata.ts";

/**
 * Makes the provider emit `client.authenticated` when the secret of an application fits or its assertion was accepted,
 * and `userinfo.success` when the access token is valid. oidc-provider has no events for either. Accepts a secret only
 * where the application's method says.
 */
export function announceProofs(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compareClientSecret(secret: string) {
    if (!compareSecret(Buffer.from(this.clientSecret ?? "", "base64url"), secret)) return false;
    throwIfMisplaced(this);
    provider.emit("client.authenticated", Provider.ctx);
    return true;
  };
  provider.use(async (ctx, next) => {
    await next();
    // A pushed authorization request is answered with 201.
    if (ctx.status !== 200 && ctx.status !== 201) return;
    if (ctx.oidc?.route === "userinfo") provider.emit("userinfo.success", ctx);
    const isAuthenticated = AUTHENTICATING_ROUTES.has(ctx.oidc?.route);
    if (isAuthenticated && ctx.oidc.client?.clientAuthMethod === "private_key_jwt") {
      provider.emit("client.authenticated", ctx);
    }
  });
}

/** The routes that authenticate the application before anything else. */
const AUTHENTICATING_ROUTES: ReadonlySet<string> = new Set([
  "token",
  "introspection",
  "revocation",
  "device_authorization",
  "pushed_authorization_request",
]);

/**
 * oidc-provider accepts a secret in the header and in the body from each application that has one. Only an application
 * that knows its secret gets the explanation.
 */
function throwIfMisplaced({ clientAuthMethod }: Client): void {
  const isInHeader = Provider.ctx?.headers.authorization !== undefined;
  if (isInHeader === (clientAuthMethod === "client_secret_basic")) return;
  const error_description = `the application must authenticate with ${clientAuthMethod}`;
  throw Object.assign(new errors.InvalidClientAuth("the secret is in the wrong place"), { error_description });
}
