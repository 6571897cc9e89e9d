import { CONSUMERS, isDomainVerified } from "./azure.ts";
import type { OpenIdKind } from "./kind.ts";

/** Any OpenID Connect provider. */
export const oidc: OpenIdKind = {
  protocol: "openid",
  issuerOf: ({ issuer }) => issuer,
  scopes: ["openid", "profile", "email"],
  usesPkce: ({ settings }) => settings.usePkce ?? false,
  readsUserInfo: ({ settings }) => !settings.isIdTokenMapping,
  // Anyone can have a personal account of Microsoft, so the rule for those holds here too.
  toClaims: (claims, { issuer, settings: { trustEmail = false } }) => ({
    ...claims,
    email_verified:
      claims.email_verified ??
      (trustEmail && (!issuer.toLowerCase().includes(CONSUMERS) || isDomainVerified(claims.xms_edov))),
  }),
};
