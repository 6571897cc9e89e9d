import { addOidcApp } from "../../../src/apps/add-oidc-app.ts";
import type { NewOidcApp } from "../../../src/apps/check-oidc-app.ts";
import { ofOperator } from "../../../src/cli/of-operator.ts";
import type { OidcAppPayload } from "../../../src/events/catalogue.ts";
import type { TestService } from "../servers/service.ts";

export const REDIRECT_URI = "https://shop.example/signed-in";

/** Adds an application to an organization or the instance. */
export async function createTestApp(
  service: TestService,
  ownerId: string,
  config: Partial<OidcAppPayload> = {},
): Promise<{ appId: string; clientSecret: string }> {
  const app: NewOidcApp = {
    name: "Shop",
    config: {
      type: "web",
      authMethod: "basic",
      grantTypes: ["authorization_code"],
      redirectUris: [REDIRECT_URI],
      postLogoutRedirectUris: [],
      additionalOrigins: [],
      backChannelLogoutUri: null,
      accessTokenType: "opaque",
      idTokenUserinfoAssertion: false,
      idTokenSignedResponseAlg: "RS256",
      devMode: false,
      apiAccess: false,
      jwks: null,
      jwksUri: null,
      serviceUserId: null,
      roles: [],
      metadataClaims: [],
      requiresPkce: false,
      requiresPar: false,
      dpopBoundAccessTokens: false,
      ...config,
    },
  };
  const parts = { db: service.db, clock: () => new Date() };
  const { appId, clientSecret } = await addOidcApp(parts, app, ofOperator(ownerId));
  service.secret(clientSecret);
  return { appId, clientSecret };
}
