import type { ProviderPayload } from "../events/catalogue.ts";
import { hostOf } from "../events/host-of.ts";
import type { CheckedSettings } from "./check-provider.ts";
import type { IdpSettings } from "./kinds.ts";

/** The settings that are URLs, by their names in events. */
const URLS = {
  authorizationHost: "authorizationEndpoint",
  tokenHost: "tokenEndpoint",
  userHost: "userEndpoint",
  redirectHost: "redirectUrl",
  postHost: "postUrl",
} as const satisfies Record<string, keyof IdpSettings>;

/** The payload of an event about a provider. */
export function toProviderPayload({ settings, ...provider }: CheckedSettings): ProviderPayload {
  const hosts = Object.entries(URLS).flatMap(([name, setting]) => {
    const url = settings[setting];
    return url === undefined ? [] : [[name, url && hostOf(url)]];
  });
  const names: readonly string[] = Object.values(URLS);
  const others = Object.entries(settings).filter(([name]) => !names.includes(name));
  return { ...provider, settings: Object.fromEntries([...others, ...hosts]) };
}
