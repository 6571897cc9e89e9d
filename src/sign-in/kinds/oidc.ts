import type { OpenIdKind } from "./kind.ts";

/** Any OpenID Connect provider. */
export const oidc: OpenIdKind = {
  protocol: "openid",
  issuerOf: ({ issuer }) => issuer,
  scopes: ["openid", "profile", "email"],
  usesPkce: ({ settings }) => settings.usePkce ?? false,
  readsUserInfo: ({ settings }) => !settings.isIdTokenMapping,
};
