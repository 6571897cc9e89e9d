import type { Attribute, Schema, Values } from "./attributes.ts";
import { MOST_RESULTS } from "./read-query.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0";

/** What the service supports (RFC 7643, section 5). */
export function toServiceProviderConfig(
  baseUrl: string,
  limits: { readonly operations: number; readonly bytes: number },
): Values {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: limits.operations, maxPayloadSize: limits.bytes },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    // RFC 9865, section 4. A cursor does not expire with time.
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: "index",
      defaultPageSize: MOST_RESULTS,
      maxPageSize: MOST_RESULTS,
    },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: "The token of the SCIM connection",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** A type of resources (RFC 7643, section 6). */
export function toResourceType(
  {
    name,
    endpoint,
    schemas,
  }: { readonly name: string; readonly endpoint: string; readonly schemas: readonly Schema[] },
  baseUrl: string,
): Values {
  const [core, ...extensions] = schemas;
  return {
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    description: core?.description,
    schema: core?.id,
    ...(extensions.length > 0 && { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }),
    meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/${name}` },
  };
}

/** A schema (RFC 7643, section 7). */
export function toSchemaResource({ id, name, description, attributes }: Schema, baseUrl: string): Values {
  return {
    schemas: [`${CORE}:Schema`],
    id,
    name,
    description,
    attributes: attributes.map(toAttributeResource),
    meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${id}` },
  };
}

function toAttributeResource(attribute: Attribute): Values {
  const { name, type, description, multiValued = false, required = false, caseExact = false } = attribute;
  const { isUnique = false, isReadOnly = false, isImmutable = false, subAttributes } = attribute;
  const changeable = isImmutable ? "immutable" : "readWrite";
  return {
    name,
    type,
    description,
    multiValued,
    required,
    ...(type === "string" && { caseExact }),
    mutability: isReadOnly ? "readOnly" : changeable,
    returned: "default",
    ...(type !== "boolean" && { uniqueness: isUnique ? "server" : "none" }),
    ...(subAttributes !== undefined && { subAttributes: subAttributes.map(toAttributeResource) }),
  };
}
