import type { Call } from "../call.ts";
import type { Problems } from "../errors.ts";
import type { OidcIdpPayload } from "../events/catalogue.ts";
import type { Changed } from "../events/object-details.ts";
import { checkIdpName } from "./check-idp-name.ts";
import { checkOidcConfig, type OidcConfigRequest } from "./check-oidc-config.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { type InsertIdpParts, insertIdp } from "./insert-idp.ts";
import { AUTO_LINKING } from "./stored-numbers.ts";

/** A valid configuration, which is the payload of the event, and the secret. */
export interface OidcIdp {
  readonly configuration: OidcIdpPayload;
  readonly clientSecret: string;
}

/** The fields of AddOIDCIDPRequest and AddOrgOIDCIDPRequest. */
interface OidcIdpRequest extends OidcConfigRequest {
  readonly name: string;
  readonly stylingType: number;
  readonly clientSecret: string;
  readonly autoRegister: boolean;
}

/** Checks the rules that the schema cannot express. They are the same for the instance and for organizations. */
export function checkOidcIdp(request: OidcIdpRequest, problems: Problems): OidcIdp {
  const { name, stylingType, clientSecret, autoRegister } = request;
  const configuration = {
    name: checkIdpName(name, problems),
    stylingType,
    ...checkOidcConfig(request, problems),
    autoRegister,
  };
  return { configuration, clientSecret };
}

/**
 * Adds an OpenID Connect provider: one of the instance, usable by every organization, or one of an organization, usable
 * by that organization only (docs/api.md). Encrypts the client secret.
 *
 * @throws SignetError for a failure of the database.
 */
export async function addOidcIdp(
  parts: InsertIdpParts,
  { configuration, clientSecret }: OidcIdp,
  owner: IdpOwner,
  call: Call,
): Promise<Changed & { readonly id: string }> {
  const event = { type: `${owner.kind}.idp.oidc.added`, payload: configuration } as const;
  return await insertIdp(parts, { ...configuration, ...OIDC_DEFAULTS }, clientSecret, event, owner, call);
}

/** The kind of these providers, and what they allow. */
const OIDC_DEFAULTS = {
  kind: "oidc",
  settings: { isIdTokenMapping: false, usePkce: true },
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoUpdate: false,
  autoLinking: AUTO_LINKING.none,
} as const;
