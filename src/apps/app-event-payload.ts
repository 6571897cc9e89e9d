import type { AppEventPayload, OidcAppPayload } from "../events/catalogue.ts";
import { hostOf } from "../events/host-of.ts";

/** The payload of an event about a configuration. */
export function toAppEventPayload({
  redirectUris,
  postLogoutRedirectUris,
  backChannelLogoutUri,
  jwksUri,
  ...config
}: OidcAppPayload): AppEventPayload {
  return {
    ...config,
    redirectHosts: hostsOf(redirectUris),
    postLogoutRedirectHosts: hostsOf(postLogoutRedirectUris),
    backChannelLogoutHost: backChannelLogoutUri && hostOf(backChannelLogoutUri),
    jwksHost: jwksUri && hostOf(jwksUri),
  };
}

function hostsOf(urls: readonly string[]): string[] {
  return [...new Set(urls.map(hostOf))];
}
