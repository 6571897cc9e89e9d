import type { Call } from "../call.ts";
import type { ProviderPayload } from "../events/catalogue.ts";
import { changeObject, inOwnerChange, runChange } from "../events/change-object.ts";
import { hostOf } from "../events/host-of.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import { checkAddressTrust } from "./address-trust.ts";
import { type CheckedProvider, type CheckedSettings, checkProvider } from "./check-provider.ts";
import { checkFirstSecret, type ProviderDraft } from "./draft.ts";
import { checkIdentity, holdIdpToChange } from "./hold-idp.ts";
import { type InsertIdpParts, insertIdp, sealSecret } from "./insert-idp.ts";
import type { IdpSettings } from "./kinds.ts";
import { createSigningKey } from "./saml/signing-key.ts";
import { MAPPING_FIELD, STYLING_TYPE } from "./stored-numbers.ts";

/**
 * Adds a provider of any kind to the instance or to an organization (docs/reference/providers.md). Encrypts the secret.
 *
 * @throws SignetError PERMISSION_DENIED for automatic linking or trusted addresses without the permissions, or for a
 *   failure of the database.
 */
export const addProvider = inOwnerChange(
  async (change, { provider, secret }: CheckedProvider, owner, call, { keyring }: InsertIdpParts) => {
    checkAddressTrust({ ...provider.options, ...provider.settings }, owner, call);
    const idp = { kind: provider.kind, ...toProviderColumns(provider), ...UNMAPPED };
    const event = { type: `${owner.kind}.idp.provider.added`, payload: toProviderPayload(provider) } as const;
    return await insertIdp(change, keyring, { ...idp, owner, secret }, [event]);
  },
);

/**
 * Adds a provider with its name and kind alone, deactivated (docs/reference/providers.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function addProviderDraft(
  parts: InsertIdpParts,
  { name, kind }: ProviderDraft,
  owner: Owner,
  call: Call,
): Promise<Changed & { readonly id: string }> {
  // The defaults of the kind. That required settings are missing is what makes it a draft.
  const { provider } = checkProvider(kind)({ name, clientId: "", scopes: [] }, { add() {} });
  const secret = kind === "saml" ? await createSigningKey(parts.clock()) : "";
  call.throwIfOver();
  const idp = { kind, ...toProviderColumns(provider), ...UNMAPPED, state: "inactive" as const };
  const added = { type: `${owner.kind}.idp.provider.added`, payload: toProviderPayload(provider) } as const;
  const deactivated = { type: `${owner.kind}.idp.deactivated`, payload: {} } as const;
  const events = [added, deactivated];
  return await runChange(parts, call, (change) => insertIdp(change, parts.keyring, { ...idp, owner, secret }, events));
}

/** The settings that only the deprecated calls have. */
const UNMAPPED = {
  styling_type: STYLING_TYPE.unspecified,
  display_name_mapping: MAPPING_FIELD.unspecified,
  username_mapping: MAPPING_FIELD.unspecified,
};

/**
 * Replaces the settings of a provider (docs/reference/providers.md). If all values are already stored, nothing changes;
 * a secret is always a change, because the stored one is encrypted.
 *
 * @throws SignetError IDP_NOT_FOUND (also for a provider of another kind), IDP_HAS_LINKS, PERMISSION_DENIED, or for a
 *   failure of the database.
 */
export const updateProvider = inOwnerChange(
  async (change, { id, provider: given, secret }: CheckedProvider, owner, call, { keyring }: InsertIdpParts) => {
    const { kind, options } = given;
    checkAddressTrust({ ...options, ...given.settings }, owner, call);
    const { idp, hasLinks } = await holdIdpToChange(change, { idpId: id, field: "id", kind }, owner, call);
    checkFirstSecret(idp, secret);
    const stored: IdpSettings = idp.config;
    const userIdAttribute = given.settings.userIdAttribute ?? stored.userIdAttribute;
    const provider = { ...given, settings: { ...given.settings, userIdAttribute } };
    const columns = { ...toProviderColumns(provider), ...(secret !== "" && sealSecret(keyring, idp.id, secret)) };
    if (hasLinks) checkIdentity(idp, columns, call);
    const payload = { ...toProviderPayload(provider), secretChanged: secret !== "" };
    return await changeObject(change, "idps", idp, [{ type: `${owner.kind}.idp.provider.changed`, payload }], columns);
  },
);

/** The columns of the settings. */
function toProviderColumns({ name, clientId, issuer, scopes, settings, options }: CheckedProvider["provider"]) {
  return {
    name,
    client_id: clientId,
    issuer,
    scopes: [...scopes],
    config: settings,
    is_linking_allowed: options.isLinkingAllowed,
    is_creation_allowed: options.isCreationAllowed,
    auto_register: options.isAutoCreation,
    is_auto_update: options.isAutoUpdate,
    auto_linking: options.autoLinking,
  };
}

/** The settings that are URLs, by their names in events. */
const URLS = {
  authorizationHost: "authorizationEndpoint",
  tokenHost: "tokenEndpoint",
  userHost: "userEndpoint",
  redirectHost: "redirectUrl",
  postHost: "postUrl",
} as const satisfies Record<string, keyof IdpSettings>;

/** The payload of an event about a provider. */
function toProviderPayload({ settings, ...provider }: CheckedSettings): ProviderPayload {
  const hosts = Object.entries(URLS).flatMap(([name, setting]) => {
    const url = settings[setting];
    return url === undefined ? [] : [[name, url && hostOf(url)]];
  });
  const names: readonly string[] = Object.values(URLS);
  const others = Object.entries(settings).filter(([name]) => !names.includes(name));
  return { ...provider, settings: Object.fromEntries([...others, ...hosts]) };
}
