import { sql } from "kysely";
import type { Call } from "../call.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { differsFrom } from "../database/differs-from.ts";
import type { Param } from "../database/prepare.ts";
import type { Problems } from "../errors.ts";
import type { OidcConfigPayload } from "../events/catalogue.ts";
import type { Changed } from "../events/object-details.ts";
import { type ChangeIdpParts, changeIdp } from "./change-idp.ts";
import { checkOidcConfig, type OidcConfigRequest } from "./check-oidc-config.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { IDP_SEALED } from "./idp-sealed.ts";
import { prepareIdpChange } from "./prepare-idp-change.ts";

/** A checked request. */
export interface OidcConfigChange {
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

export interface UpdateIdpOidcConfigParts extends ChangeIdpParts {
  readonly keyring: Keyring;
}

/**
 * Replaces the OpenID Connect configuration of a provider (docs/api.md). If all values are already
 * stored, nothing changes; a client secret is always a change, because the stored one is encrypted.
 *
 * The issuer decides who is signed in, together with the client: it may name other users to another client (OpenID
 * Connect Core 1.0, section 8.1). The mappings only choose the names of new users and links.
 *
 * @throws SignetError IDP_NOT_FOUND, IDP_HAS_LINKS, PERMISSION_DENIED, or for a failure of the database.
 */
export async function updateIdpOidcConfig(
  { keyring, ...parts }: UpdateIdpOidcConfigParts,
  { idpId, config, clientSecret }: OidcConfigChange,
  owner: IdpOwner,
  call: Call,
): Promise<Changed> {
  // The place of a secret contains the stored id, which is lowercase.
  const place = { ...IDP_SEALED, rowId: idpId.toLowerCase() };
  const secret = clientSecret === "" ? undefined : keyring.seal(place, clientSecret);
  const payload = { ...config, clientSecretChanged: secret !== undefined };
  const event = { type: `${owner.kind}.idp.oidc.changed`, payload } as const;
  const sealed = { clientSecret: secret?.ciphertext ?? null, clientSecretKey: secret?.keyId ?? null };
  return await changeIdp(parts, updateConfig, owner, { idpId, ...config, ...sealed, event }, call);
}

/** The payload of the event, and the secret, which events must not contain; null keeps the stored secret. */
interface ConfigValues extends OidcConfigPayload {
  clientSecret: Buffer | null;
  clientSecretKey: string | null;
}

const updateConfig = prepareIdpChange<ConfigValues>({
  refuseIf: (param) => ({
    kind: sql`held.kind <> 'oidc'`,
    issuer: differsFrom("held", { issuer: param("issuer", "text") }),
    client: differsFrom("held", { client_id: param("clientId", "text") }),
  }),
  differs: (param) =>
    sql`(${param("clientSecretKey", "text")} is not null or ${differsFrom("held", configColumns(param))})`,
  set: (param) => ({
    ...configColumns(param),
    client_secret: sql`coalesce(${param("clientSecret", "bytea")}, idps.client_secret)`,
    client_secret_key: sql`coalesce(${param("clientSecretKey", "text")}, idps.client_secret_key)`,
  }),
});

function configColumns(param: Param<ConfigValues>) {
  return {
    client_id: param("clientId", "text"),
    issuer: param("issuer", "text"),
    scopes: param("scopes", "text[]"),
    display_name_mapping: param("displayNameMapping", "smallint"),
    username_mapping: param("usernameMapping", "smallint"),
  };
}
