import type { OpenIdKind } from "./kind.ts";

/**
 * Google (developers.google.com/identity/openid-connect). It sends no `preferred_username`, so the verified address is
 * the user name.
 */
export const google: OpenIdKind = {
  protocol: "openid",
  issuerOf: (_idp, hosts) => hosts.google,
  scopes: ["openid", "profile", "email"],
  usesPkce: () => true,
  readsUserInfo: () => true,
};
