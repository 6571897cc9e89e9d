import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { IDPOwnerType, IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import { type Provider, type ProviderConfigSchema, ProviderSchema } from "../../../gen/signet/v1/provider_pb.js";
import type { Call } from "../../call.ts";
import type { ListResult } from "../../fields/read-list.ts";
import type { IdpRow } from "../../idps/idp-row.ts";
import { requiresAuthTime } from "../../idps/kinds.ts";
import { writeMetadata } from "../../idps/saml/write-metadata.ts";
import type { IdpCheck } from "../../sign-in/check-idp.ts";
import { numberOf, PROVIDER_KINDS, SAML_BINDINGS, SAML_NAME_ID_FORMATS, toTenant } from "../provider-kinds.ts";
import { toDetails } from "./details.ts";

type Config = NonNullable<MessageInitShape<typeof ProviderConfigSchema>["config"]>;

/** Converts a row to a provider of any kind in a response. */
export function toProvider(row: IdpRow, { instanceId }: Call): Provider {
  const { type, config } = PROVIDER_KINDS[row.kind];
  const { tenant, requireAuthTime: _, trustEmail = false, ...settings } = row.config;
  // The message of a kind has a field for each of its settings.
  const value = {
    clientId: row.client_id,
    scopes: row.scopes,
    issuer: row.issuer,
    ...settings,
    ...(tenant !== undefined && { tenant: toTenant(tenant) }),
  };
  return create(ProviderSchema, {
    id: row.id,
    details: toDetails(row, row.owner_id),
    state: row.state === "active" ? IDPState.IDP_STATE_ACTIVE : IDPState.IDP_STATE_INACTIVE,
    name: row.name,
    owner: row.owner_id === instanceId ? IDPOwnerType.IDP_OWNER_TYPE_SYSTEM : IDPOwnerType.IDP_OWNER_TYPE_ORG,
    type,
    config: {
      options: {
        isLinkingAllowed: row.is_linking_allowed,
        isCreationAllowed: row.is_creation_allowed,
        isAutoCreation: row.auto_register,
        isAutoUpdate: row.is_auto_update,
        autoLinking: row.auto_linking,
        trustEmail,
        ...(row.kind !== "saml" && { requireAuthTime: requiresAuthTime(row.kind, row.config) }),
      },
      config: (row.kind === "saml" ? { case: "saml", value: toSamlConfig(row) } : { case: config, value }) as Config,
    },
  });
}

/** Converts a page of providers to the fields of a response. */
export function toProviderList({ details, rows }: ListResult<IdpRow>, call: Call) {
  return { details, result: rows.map((row) => toProvider(row, call)) };
}

/** Converts the findings about a provider. What it publishes may contain lone surrogates, which messages cannot. */
export function toProviderCheck({
  metadata,
  supportedScopes,
  ...checked
}: IdpCheck & { readonly callbackUrl: string }) {
  return {
    ...checked,
    problems: checked.problems.map((problem) => problem.toWellFormed()),
    warnings: [...checked.warnings],
    metadata: Object.entries(metadata).map(([name, value]) => ({ name, value: value.toWellFormed() })),
    supportedScopes: supportedScopes.map((scope) => scope.toWellFormed()),
  };
}

function toSamlConfig({ issuer: entityId, config }: IdpRow) {
  const { redirectUrl = "", postUrl = "", certificates = [], binding, withSignedRequest = false } = config;
  const { nameIdFormat, transientMappingAttributeName: attribute = "", allowIdpInitiated = false } = config;
  return {
    metadataXml: Buffer.from(writeMetadata({ entityId, redirectUrl, postUrl, certificates })),
    binding: numberOf(SAML_BINDINGS, binding),
    withSignedRequest,
    nameIdFormat: numberOf(SAML_NAME_ID_FORMATS, nameIdFormat),
    allowIdpInitiated,
    ...(attribute !== "" && { transientMappingAttributeName: attribute }),
  };
}
