/** The paths of the provider. */
export const ROUTES = {
  authorization: "/oauth/v2/authorize",
  token: "/oauth/v2/token",
  introspection: "/oauth/v2/introspect",
  revocation: "/oauth/v2/revoke",
  jwks: "/oauth/v2/keys",
  device_authorization: "/oauth/v2/device_authorization",
  pushed_authorization_request: "/oauth/v2/par",
  /** Short, because users type it. */
  code_verification: "/ui/device",
  userinfo: "/oidc/v1/userinfo",
  end_session: "/oidc/v1/end_session",
} as const;

/**
 * The methods of every path that the provider serves. A path that ends in `/` continues with the id of an interaction.
 */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  "/.well-known/openid-configuration": ["GET", "HEAD", "OPTIONS"],
  "/.well-known/oauth-authorization-server": ["GET", "HEAD", "OPTIONS"],
  [ROUTES.authorization]: ["GET", "HEAD", "POST"],
  [`${ROUTES.authorization}/`]: ["GET", "HEAD"],
  [ROUTES.token]: ["POST", "OPTIONS"],
  [ROUTES.introspection]: ["POST", "OPTIONS"],
  [ROUTES.revocation]: ["POST", "OPTIONS"],
  [ROUTES.jwks]: ["GET", "HEAD", "OPTIONS"],
  [ROUTES.device_authorization]: ["POST", "OPTIONS"],
  [ROUTES.pushed_authorization_request]: ["POST", "OPTIONS"],
  [ROUTES.code_verification]: ["GET", "HEAD", "POST"],
  [`${ROUTES.code_verification}/`]: ["GET", "HEAD"],
  [ROUTES.userinfo]: ["GET", "HEAD", "POST", "OPTIONS"],
  [ROUTES.end_session]: ["GET", "HEAD", "POST"],
  [`${ROUTES.end_session}/confirm`]: ["POST"],
  [`${ROUTES.end_session}/success`]: ["GET", "HEAD"],
};

/** Every path that the provider serves; see `METHODS`. */
export const PATHS: readonly string[] = Object.keys(METHODS);

/** A path of the provider, and its methods. */
export interface Route {
  /** The path for logs and metrics. The id of an interaction is a secret of its browser. */
  readonly template: string;
  readonly methods: readonly string[];
}

/** @returns Undefined if the provider serves nothing at the path. */
export function findRoute(path: string): Route | undefined {
  if (path.endsWith("/")) return undefined;
  const own = METHODS[path];
  if (own !== undefined) return { template: path, methods: own };
  const prefix = path.slice(0, path.lastIndexOf("/") + 1);
  const methods = METHODS[prefix];
  return methods && { template: `${prefix}:id`, methods };
}

/** The paths that do nothing before a request has authenticated its application or its token. */
export const API_PATHS: ReadonlySet<string> = new Set([
  ROUTES.token,
  ROUTES.introspection,
  ROUTES.revocation,
  ROUTES.userinfo,
]);
