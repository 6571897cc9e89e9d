import { ProviderError } from "../../idps/discover-provider.ts";
import type { OpenIdKind } from "./kind.ts";

/** The tenant of personal accounts. */
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * Microsoft Entra ID (learn.microsoft.com/entra/identity-platform/v2-protocols-oidc). The metadata of several tenants
 * have the issuer `…/{tenantid}/v2.0`, and those of a domain name the issuer with the tenant's id. The claim `email` can
 * be any address that an administrator has set.
 */
export const azure: OpenIdKind = {
  protocol: "openid",
  issuerOf: ({ settings }, hosts) => `${hosts.microsoft}/${settings.tenant}/v2.0`,
  // The hosts have no other special characters than dots.
  issuerPattern: ({ microsoft }) =>
    new RegExp(`^${microsoft.replaceAll(".", "\\.")}/(?:\\{tenantid\\}|${UUID})/v2\\.0$`),
  scopes: ["openid", "profile", "email"],
  usesPkce: () => true,
  readsUserInfo: () => true,
  checkClaims({ tid }, { settings: { tenant = "" } }) {
    if (typeof tid !== "string" || !new RegExp(`^${UUID}$`).test(tid)) {
      throw new ProviderError("the claim tid is not the id of a tenant");
    }
    const isWrong =
      (tenant === "organizations" && tid === CONSUMERS) ||
      (tenant === "consumers" && tid !== CONSUMERS) ||
      (new RegExp(`^${UUID}$`, "i").test(tenant) && tid !== tenant.toLowerCase());
    if (isWrong) throw new ProviderError("the claim tid is another tenant");
  },
  toClaims: (claims, { settings }) => ({ ...claims, email_verified: settings.emailVerified ?? false }),
};
