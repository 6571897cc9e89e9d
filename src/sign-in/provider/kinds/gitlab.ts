import type { OpenIdKind } from "./kind.ts";
import { splitName } from "./split-name.ts";

/** GitLab.com (docs.gitlab.com/integration/openid_connect_provider). It knows only a full name. */
export const gitlab: OpenIdKind = {
  protocol: "openid",
  issuerOf: (_idp, hosts) => hosts.gitlab,
  scopes: ["openid", "profile", "email"],
  usesPkce: () => true,
  readsUserInfo: () => true,
  toClaims: (claims) => ({
    ...splitName(claims.name),
    ...claims,
    preferred_username: claims.preferred_username ?? claims.nickname,
  }),
};

/** A self-managed GitLab. */
export const gitlabSelfHosted: OpenIdKind = { ...gitlab, issuerOf: ({ issuer }) => issuer };
