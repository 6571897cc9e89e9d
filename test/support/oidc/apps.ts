import { addOidcApp } from "../../../src/apps/change-oidc-app.ts";
import type { NewOidcApp } from "../../../src/apps/check-oidc-app.ts";
import { type AppConfig, EMPTY_APP_CONFIG } from "../../../src/database/app-config.ts";
import { ofOperator } from "../operations/principal.ts";
import type { TestService } from "../servers/service.ts";

export const REDIRECT_URI = "https://shop.example/signed-in";

/** Adds an application to an organization or the instance. */
export async function createTestApp(
  service: TestService,
  ownerId: string,
  config: Partial<AppConfig> = {},
): Promise<{ appId: string; clientSecret: string }> {
  const app: NewOidcApp = {
    name: "Shop",
    config: {
      ...EMPTY_APP_CONFIG,
      grantTypes: ["authorization_code"],
      redirectUris: [REDIRECT_URI],
      ...config,
    },
  };
  const parts = { db: service.db, clock: () => new Date() };
  const { appId, clientSecret } = await addOidcApp(parts, app, ofOperator(ownerId));
  service.secret(clientSecret);
  return { appId, clientSecret };
}
