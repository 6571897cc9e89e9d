import { createPrivateKey, sign } from "node:crypto";
import { Provider } from "oidc-provider";
import { currentSubject } from "./present-subjects.ts";
import { serviceUserIdOf } from "./service-tokens.ts";
import type { SigningKey } from "./signing-keys.ts";

export type GenerateTokenId<Token> = (this: Token) => string;

export type AccessToken = InstanceType<Provider["AccessToken"]> | InstanceType<Provider["ClientCredentials"]>;

/**
 * Issues the access tokens of some applications, for people and for machine users, as JSON Web Tokens (RFC 9068).
 *
 * The whole token replaces the random id, so it is stored like any other token, and can be revoked immediately.
 */
export function createAccessTokenFormat(issuer: string, keys: readonly SigningKey[]) {
  const signingKey = keys.find(({ alg }) => alg === "RS256");
  if (signingKey === undefined) throw new Error("there is no key for RS256");
  const privateKey = createPrivateKey({ key: { ...signingKey }, format: "jwk" });

  function toJwt(token: AccessToken, id: string): string {
    const { client, scope, clientId } = token;
    const now = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: issuer,
      sub: token.kind === "AccessToken" ? (currentSubject() ?? token.accountId) : serviceUserIdOf(client),
      aud: token.aud ?? clientId,
      client_id: clientId,
      iat: now,
      exp: now + token.expiration,
      jti: id,
      scope,
      roles: rolesOf(token) ?? undefined,
      // RFC 9449, section 6.1.
      cnf: token.jkt === undefined ? undefined : { jkt: token.jkt },
    };
    const header = { alg: "RS256", typ: "at+jwt", kid: signingKey?.kid };
    const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
  }

  return (generateTokenId: GenerateTokenId<AccessToken>): GenerateTokenId<AccessToken> =>
    function generate() {
      const id = generateTokenId.call(this);
      return this.client?.signet_access_token_type === "jwt" ? toJwt(this, id) : id;
    };
}

/** The roles of the token's user in its application. Those of a person were looked up with the account. */
function rolesOf({ kind, client }: AccessToken): unknown {
  return kind === "AccessToken" ? Provider.ctx?.oidc.account?.roles : client?.signet_service_roles;
}
