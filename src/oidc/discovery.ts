import { CLIENT_ALGORITHMS } from "../fields/key-set.ts";
import { LANGUAGES } from "../texts/languages.ts";
import { AUTH_METHODS } from "./client-metadata.ts";

export const AUTH_METHOD_NAMES = Object.values(AUTH_METHODS);

/** What oidc-provider's metadata leaves out (RFC 8414, section 2; OpenID Initiating User Registration 1.0, section 4). */
export const DISCOVERY = {
  ui_locales_supported: [...LANGUAGES],
  prompt_values_supported: ["none", "login", "consent", "select_account"],
  introspection_endpoint_auth_methods_supported: AUTH_METHOD_NAMES,
  introspection_endpoint_auth_signing_alg_values_supported: [...CLIENT_ALGORITHMS],
  revocation_endpoint_auth_methods_supported: AUTH_METHOD_NAMES,
  revocation_endpoint_auth_signing_alg_values_supported: [...CLIENT_ALGORITHMS],
};
