import { ProviderError } from "../../../idps/discover-provider.ts";
import type { ExternalIds, OpenIdKind } from "./kind.ts";

/** The tenant of personal accounts. */
export const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const IS_UUID = new RegExp(`^${UUID}$`, "i");

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
      (IS_UUID.test(tenant) && tid !== tenant.toLowerCase());
    if (isWrong) throw new ProviderError("the claim tid is another tenant");
  },
  /** An object id identifies a user in one tenant, so it counts alone only if the provider has no other tenant. */
  idsOf({ sub, oid, tid }, { settings: { userIdAttribute = "sub", tenant = "" } }): ExternalIds {
    const subject = String(sub);
    const hasObject = typeof oid === "string" && new RegExp(`^${UUID}$`).test(oid);
    const object = hasObject ? `${oid}.${tid}` : undefined;
    const bare = hasObject && !SEVERAL_TENANTS.has(tenant.toLowerCase()) ? [oid] : [];
    if (userIdAttribute === "sub") return { id: subject, otherIds: object === undefined ? [] : [object, ...bare] };
    if (object === undefined)
      throw new ProviderError("the claim oid is not the id of a user: request the scope profile");
    return { id: object, otherIds: [...bare, subject] };
  },
  toClaims: (claims, { settings: { emailVerified = false, tenant = "" } }) => ({
    ...claims,
    email_verified: emailVerified && (!SHARED.has(tenant.toLowerCase()) || isDomainVerified(claims.xms_edov)),
  }),
};

/** The values of `tenant` for more than one tenant. */
const SEVERAL_TENANTS: ReadonlySet<string> = new Set(["common", "organizations"]);
/** The values of `tenant` with which the owner of an address may be anybody: also personal accounts. */
const SHARED: ReadonlySet<string> = new Set([...SEVERAL_TENANTS, "consumers", CONSUMERS]);

/**
 * Whether the user's own tenant has proved the domain of the address, or its owner the address. Microsoft sends this optional
 * claim as `true`, `"true"`, `1` or `"1"`.
 */
export function isDomainVerified(claim: unknown): boolean {
  return ["true", "1"].includes(String(claim));
}
