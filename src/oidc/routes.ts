/** The paths of the provider. */
export const ROUTES = {
  authorization: "/oauth/v2/authorize",
  token: "/oauth/v2/token",
  introspection: "/oauth/v2/introspect",
  revocation: "/oauth/v2/revoke",
  jwks: "/oauth/v2/keys",
  device_authorization: "/oauth/v2/device_authorization",
  /** Short, because users type it. */
  code_verification: "/ui/device",
  userinfo: "/oidc/v1/userinfo",
  end_session: "/oidc/v1/end_session",
} as const;

/** Every path that the provider serves. A path that ends in `/` continues with the id of an interaction. */
export const PATHS = [
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
  ...Object.values(ROUTES),
  `${ROUTES.authorization}/`,
  `${ROUTES.code_verification}/`,
  `${ROUTES.end_session}/confirm`,
  `${ROUTES.end_session}/success`,
] as const;
