import type { OAuthKind } from "./kind.ts";
import { splitName } from "./split-name.ts";

/**
 * GitHub (docs.github.com/apps/oauth-apps). The id is a number. The address on the profile may be hidden and is not
 * verified, so the primary one is read from the list of addresses. Users know their login and a full name.
 */
export const github: OAuthKind = {
  protocol: "oauth",
  endpointsOf: (_idp, { github, githubApi }) => ({
    authorization: `${github}/login/oauth/authorize`,
    token: `${github}/login/oauth/access_token`,
    user: `${githubApi}/user`,
  }),
  scopes: ["read:user", "user:email"],
  usesPkce: () => true,
  idAttribute: () => "id",
  async toClaims({ login, name }, load) {
    const primary = findPrimary(await load("/emails"));
    return {
      preferred_username: login,
      name,
      ...splitName(name),
      email: primary?.email,
      email_verified: primary?.verified,
    };
  },
};

/** A GitHub Enterprise Server. */
export const githubEnterprise: OAuthKind = {
  ...github,
  endpointsOf: ({ settings: { authorizationEndpoint = "", tokenEndpoint = "", userEndpoint = "" } }) => ({
    authorization: authorizationEndpoint,
    token: tokenEndpoint,
    user: userEndpoint,
  }),
};

function findPrimary(emails: unknown): { readonly email: unknown; readonly verified: unknown } | undefined {
  return Array.isArray(emails) ? emails.find((each) => each?.primary === true) : undefined;
}
