import type { Config } from "../config.ts";
import { withApi } from "./api.ts";
import { reportIdpCheck } from "./report-idp-check.ts";
import { findProvider, type OneIdpOptions, openOwner } from "./server-idps.ts";

/** `signet idp check --url`: exits with 1 if users cannot sign in with the provider, as the server sees it. */
export async function checkIdpOnServer(configuration: () => Config, options: OneIdpOptions): Promise<void> {
  const { id, org, json } = options;
  await withApi(configuration, options, async (api) => {
    const { service, options: ofOwner } = await openOwner(api, org);
    const provider = await findProvider(api, options);
    const { metadata, ...checked } = await service.checkProvider({ id }, ofOwner);
    const found = Object.fromEntries(metadata.map(({ name, value }) => [name, value]));
    reportIdpCheck(json, provider, { ...checked, metadata: found });
  });
}
