import { createPrivateKey } from "node:crypto";
import type { OpenIdKind } from "./kind.ts";

/** How long a client secret is valid, in seconds. Apple allows six months; it is created for each request. */
const SECRET_SECONDS = 5 * 60;

/**
 * Apple (developer.apple.com/documentation/signinwithapplerestapi). With the scopes `name` and `email`, the response
 * comes as a form of another site, and contains the name only at the first sign-in. The client secret is a JWT. Apple
 * documents no code challenge, and its ID token contains the nonce.
 */
export const apple: OpenIdKind = {
  protocol: "openid",
  issuerOf: (_idp, hosts) => hosts.apple,
  scopes: ["openid", "name", "email"],
  usesPkce: () => false,
  parameters: { response_mode: "form_post" },
  readsUserInfo: () => false,
  authenticate:
    ({ clientId, settings: { teamId = "", keyId = "" } }, privateKey, { hosts, clock }) =>
    async (_server, _client, body) => {
      const { SignJWT } = await import("jose");
      const now = Math.floor(clock().getTime() / 1_000);
      const jwt = new SignJWT()
        .setProtectedHeader({ alg: "ES256", kid: keyId })
        .setIssuer(teamId)
        .setSubject(clientId)
        .setAudience(hosts.apple)
        .setIssuedAt(now)
        .setExpirationTime(now + SECRET_SECONDS);
      body.set("client_id", clientId);
      body.set("client_secret", await jwt.sign(createPrivateKey(privateKey)));
    },
  toClaims: (claims, _idp, name) => ({
    ...claims,
    given_name: name.firstName,
    family_name: name.lastName,
  }),
};
