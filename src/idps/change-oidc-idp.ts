import { addProblem, type Problems } from "../errors.ts";
import type { OidcConfigPayload, OidcIdpPayload } from "../events/catalogue.ts";
import { changeObject, inOwnerChange } from "../events/change-object.ts";
import { describeIssuerProblem } from "../fields/issuer.ts";
import { checkIdpName, checkScopes } from "./check-idp-fields.ts";
import { checkFirstSecret } from "./draft.ts";
import { checkIdentity, holdIdpToChange } from "./hold-idp.ts";
import { type InsertIdpParts, insertIdp, sealSecret } from "./insert-idp.ts";
import { AUTO_LINKING } from "./stored-numbers.ts";

/** A valid configuration, which is the payload of the event, and the secret. */
interface OidcIdp {
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
 * by that organization only (docs/reference/providers.md). Encrypts the client secret.
 *
 * @throws SignetError for a failure of the database.
 */
export const addOidcIdp = inOwnerChange(
  async (change, { configuration, clientSecret: secret }: OidcIdp, owner, _call, { keyring }: InsertIdpParts) => {
    const event = { type: `${owner.kind}.idp.oidc.added`, payload: configuration } as const;
    const columns = {
      ...OIDC_DEFAULTS,
      name: configuration.name,
      styling_type: configuration.stylingType,
      auto_register: configuration.autoRegister,
      ...toOidcColumns(configuration),
    };
    return await insertIdp(change, keyring, { ...columns, owner, secret }, [event]);
  },
);

/** The kind of these providers, and what they allow. */
const OIDC_DEFAULTS = {
  kind: "oidc",
  config: { isIdTokenMapping: false, usePkce: true },
  is_linking_allowed: true,
  is_creation_allowed: true,
  is_auto_update: false,
  auto_linking: AUTO_LINKING.none,
} as const;

/** A checked request. */
interface OidcConfigChange {
  readonly idpId: string;
  readonly config: OidcConfigPayload;
  /** Empty to keep the stored secret. */
  readonly clientSecret: string;
}

/** Checks the rules that the schema cannot express. They are the same as for adding a provider. */
export function checkUpdateIdpOidcConfig(
  request: OidcConfigRequest & { readonly idpId: string; readonly clientSecret: string },
  problems: Problems,
): OidcConfigChange {
  const { idpId, clientSecret } = request;
  return { idpId, config: checkOidcConfig(request, problems), clientSecret };
}

/**
 * Replaces the OpenID Connect configuration of a provider (docs/reference/providers.md). If all values are already
 * stored, nothing changes; a client secret is always a change, because the stored one is encrypted.
 *
 * The issuer may name other users to another client (OpenID Connect Core 1.0, section 8.1). The mappings only choose the
 * names of new users and links.
 *
 * @throws SignetError IDP_NOT_FOUND, IDP_HAS_LINKS, PERMISSION_DENIED, or for a failure of the database.
 */
export const updateIdpOidcConfig = inOwnerChange(
  async (change, { idpId, config, clientSecret }: OidcConfigChange, owner, call, { keyring }: InsertIdpParts) => {
    const { idp, hasLinks } = await holdIdpToChange(change, { idpId, kind: "oidc" }, owner, call);
    checkFirstSecret(idp, clientSecret);
    const secret = clientSecret !== "" && sealSecret(keyring, idp.id, clientSecret);
    const columns = { ...toOidcColumns(config), ...secret };
    if (hasLinks) checkIdentity(idp, { ...columns, config: idp.config }, call);
    const payload = { ...config, clientSecretChanged: clientSecret !== "" };
    return await changeObject(change, "idps", idp, [{ type: `${owner.kind}.idp.oidc.changed`, payload }], columns);
  },
);

/** The columns of the configuration. */
function toOidcColumns(config: OidcConfigPayload) {
  return {
    client_id: config.clientId,
    issuer: config.issuer,
    scopes: config.scopes,
    display_name_mapping: config.displayNameMapping,
    username_mapping: config.usernameMapping,
  };
}

/** The fields that all requests with an OpenID Connect configuration have. */
interface OidcConfigRequest {
  readonly clientId: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly displayNameMapping: number;
  readonly usernameMapping: number;
}

/**
 * Checks the rules that the schema cannot express. They are the same for the instance and for organizations, and for
 * new and changed providers.
 */
function checkOidcConfig(request: OidcConfigRequest, problems: Problems): OidcConfigPayload {
  const { clientId, displayNameMapping, usernameMapping } = request;
  const issuer = request.issuer.trim();
  addProblem(problems, "issuer", describeIssuerProblem(issuer));
  return { clientId, issuer, scopes: checkScopes(request.scopes, problems), displayNameMapping, usernameMapping };
}
