import { type Config, ConfigError } from "../config.ts";
import type { IdpSettings } from "../idps/kinds.ts";
import { inOrg } from "../moving/in-org.ts";
import { TENANTS } from "../rpc/provider-kinds.ts";
import { checkIdp } from "../sign-in/check-idp.ts";
import { withApi } from "./api.ts";
import { findNamedOrg } from "./named-org.ts";
import { responseUrl } from "./print-new-idp.ts";
import { readPublicUrl } from "./read-public-url.ts";
import { reportIdpCheck } from "./report-idp-check.ts";
import { findProvider, type OneIdpOptions, toShownIdp } from "./server-idps.ts";

/**
 * `signet idp check --url`: exits with 1 if users cannot sign in with the provider. Its metadata and keys are loaded from
 * this machine, not from the server.
 */
export async function checkIdpOnServer(configuration: () => Config, options: OneIdpOptions): Promise<void> {
  const { id, org } = options;
  await withApi(configuration, options, async (api) => {
    const provider = await findProvider(api, options);
    const shown = toShownIdp(provider);
    if (shown.kind === "saml") {
      throw new ConfigError("a SAML provider is checked on the database: unset SIGNET_URL, and leave out --url");
    }
    const { idp } = await (org === undefined
      ? api.admin.getIDPByID({ id })
      : api.management.getOrgIDPByID({ id }, inOrg(await findNamedOrg(api, org))));
    const checked = await checkIdp(
      { idpAllowPrivateNetworks: true },
      {
        ...shown,
        settings: toSettings(provider.config?.config.value),
        isOfInstance: org === undefined,
        federatedLogoutEnabled: idp?.federatedLogoutEnabled ?? false,
      },
    );
    const url = responseUrl({ publicUrl: await readPublicUrl(options) }, shown);
    reportIdpCheck(options.json, shown, checked, url);
  });
}

type Settings = NonNullable<Awaited<ReturnType<typeof findProvider>>["config"]>["config"]["value"];

/** The settings as stored: the messages have the same names, except of the tenant. */
function toSettings(value: Settings): IdpSettings {
  if (value?.$typeName !== "signet.v1.AzureADConfig") return value as IdpSettings;
  const { tenant, emailVerified } = value;
  const type = tenant?.type;
  return { emailVerified, tenant: type?.case === "tenantType" ? TENANTS[type.value] : (type?.value ?? "common") };
}
