import { createPrivateKey, sign } from "node:crypto";
import type { Provider } from "oidc-provider";
import type { SigningKey } from "./signing-keys.ts";

type AccessToken = InstanceType<Provider["AccessToken"]>;

/**
 * Issues the access tokens of some applications as JSON Web Tokens (RFC 9068).
 *
 * The whole token replaces the random id, so it is stored like any other token, and can be revoked immediately.
 * oidc-provider's own feature stores nothing, and its userinfo endpoint rejects such tokens.
 */
export function formatAccessTokens(provider: Provider, keys: readonly SigningKey[]): void {
  const signingKey = keys.find(({ alg }) => alg === "RS256");
  if (signingKey === undefined) throw new Error("there is no key for RS256");
  const privateKey = createPrivateKey({ key: { ...signingKey }, format: "jwk" });
  const prototype = provider.AccessToken.prototype as AccessToken & { generateTokenId(): string };
  const { generateTokenId } = prototype;

  prototype.generateTokenId = function generateJwt(this: AccessToken): string {
    const { client, accountId, scope, clientId } = this;
    const id = generateTokenId.call(this);
    if (client?.signet_access_token_type !== "jwt") return id;
    const now = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: provider.issuer,
      sub: accountId,
      aud: clientId,
      client_id: clientId,
      iat: now,
      exp: now + this.expiration,
      jti: id,
      scope,
    };
    const header = { alg: "RS256", typ: "at+jwt", kid: signingKey.kid };
    const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
  };
}
