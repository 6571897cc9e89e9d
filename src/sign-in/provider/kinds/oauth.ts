import { githubEnterprise } from "./github.ts";
import type { OAuthKind } from "./kind.ts";
import { splitName } from "./split-name.ts";

/**
 * Any OAuth 2.0 provider with an endpoint for the data about the user. The members beside the user's id are those of
 * OpenID Connect.
 */
export const oauth: OAuthKind = {
  protocol: "oauth",
  endpointsOf: githubEnterprise.endpointsOf,
  scopes: [],
  usesPkce: ({ settings }) => settings.usePkce ?? false,
  idAttribute: ({ settings }) => settings.idAttribute ?? "",
  toClaims: async (user) => ({ ...splitName(user.name), ...user }),
};
