import { type Expression, type RawBuilder, sql } from "kysely";
import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { differsFrom } from "../database/differs-from.ts";
import type { Param } from "../database/prepare.ts";
import type { Changed } from "../events/object-details.ts";
import { checkAddressTrust } from "./address-trust.ts";
import { type ChangeIdpParts, changeIdp } from "./change-idp.ts";
import type { CheckedProvider } from "./check-provider.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { IDP_SEALED } from "./idp-sealed.ts";
import { CLIENT_SETTINGS, HARMLESS_SETTINGS } from "./kinds.ts";
import { prepareIdpChange } from "./prepare-idp-change.ts";
import { toProviderPayload } from "./provider-payload.ts";

export interface UpdateProviderParts extends ChangeIdpParts {
  readonly keyring: Keyring;
}

/**
 * Replaces the settings of a provider (docs/api.md). If all values are already stored, nothing changes; a secret is
 * always a change, because the stored one is encrypted.
 *
 * The issuer or the endpoints decide who is signed in, together with the client. The other settings only choose what is
 * known about users.
 *
 * @throws SignetError IDP_NOT_FOUND (also for a provider of another kind), IDP_HAS_LINKS, PERMISSION_DENIED, or for a
 *   failure of the database.
 */
export async function updateProvider(
  { keyring, ...parts }: UpdateProviderParts,
  { id, provider, secret }: CheckedProvider,
  owner: IdpOwner,
  call: Call<Principal | Operator>,
): Promise<Changed> {
  checkAddressTrust({ ...provider.options, ...provider.settings }, owner, call);
  // The place of a secret contains the stored id, which is lowercase.
  const place = { ...IDP_SEALED, rowId: id.toLowerCase() };
  const sealed = secret === "" ? undefined : keyring.seal(place, secret);
  const { options, settings, ...columns } = provider;
  const values = {
    ...columns,
    ...options,
    scopes: [...provider.scopes],
    settings: JSON.stringify(settings),
    clientSecret: sealed?.ciphertext ?? null,
    clientSecretKey: sealed?.keyId ?? null,
  };
  const payload = { ...toProviderPayload(provider), secretChanged: sealed !== undefined };
  const event = { type: `${owner.kind}.idp.provider.changed`, payload } as const;
  return await changeIdp(parts, updateSettings, owner, { idpId: id, field: "id", ...values, event }, call);
}

interface SettingsValues {
  kind: string;
  name: string;
  clientId: string;
  issuer: string;
  scopes: string[];
  /** JSON. */
  settings: string;
  isLinkingAllowed: boolean;
  isCreationAllowed: boolean;
  isAutoCreation: boolean;
  isAutoUpdate: boolean;
  autoLinking: number;
  /** Null keeps the stored secret. */
  clientSecret: Buffer | null;
  clientSecretKey: string | null;
}

const updateSettings = prepareIdpChange<SettingsValues>({
  refuseIf: (param) => {
    const given = sql`${param("settings", "jsonb")}`;
    const config = sql.ref("held.config");
    const endpoints = without(CLIENT_SETTINGS, without(HARMLESS_SETTINGS, config));
    const newEndpoints = without(CLIENT_SETTINGS, without(HARMLESS_SETTINGS, given));
    const client = without(HARMLESS_SETTINGS, config);
    const newClient = without(HARMLESS_SETTINGS, given);
    return {
      kind: sql`held.kind <> ${param("kind", "text")}`,
      issuer: sql`(held.issuer, ${endpoints}) is distinct from (${param("issuer", "text")}, ${newEndpoints})`,
      client: sql`(held.client_id, ${client}) is distinct from (${param("clientId", "text")}, ${newClient})`,
    };
  },
  differs: (param) =>
    sql`(${param("clientSecretKey", "text")} is not null or ${differsFrom("held", settingsColumns(param))})`,
  set: (param) => ({
    ...settingsColumns(param),
    client_secret: sql`coalesce(${param("clientSecret", "bytea")}, idps.client_secret)`,
    client_secret_key: sql`coalesce(${param("clientSecretKey", "text")}, idps.client_secret_key)`,
  }),
});

/** A JSON object without some of its members. */
function without(names: readonly string[], object: Expression<unknown>): RawBuilder<unknown> {
  return sql`(${object} - array[${sql.join(names.map((name) => sql.lit(name)))}]::text[])`;
}

function settingsColumns(param: Param<SettingsValues>) {
  return {
    name: param("name", "text"),
    client_id: param("clientId", "text"),
    issuer: param("issuer", "text"),
    scopes: param("scopes", "text[]"),
    config: param("settings", "jsonb"),
    is_linking_allowed: param("isLinkingAllowed", "boolean"),
    is_creation_allowed: param("isCreationAllowed", "boolean"),
    auto_register: param("isAutoCreation", "boolean"),
    is_auto_update: param("isAutoUpdate", "boolean"),
    auto_linking: param("autoLinking", "smallint"),
  };
}
