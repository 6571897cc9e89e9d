import { type Attribute, findAttribute, isValues, type Schema, type Values } from "./attributes.ts";

/**
 * Finds the path of an attribute with one text, such as `nickName` or `name.givenName`, which begins with the URN of the
 * schema if that is an extension. Returns it in the form of the schema; undefined for any other attribute.
 */
export function findTextPath(schemas: readonly Schema[], path: string): string | undefined {
  const lower = path.toLowerCase();
  const named = schemas.find(({ id }) => lower.startsWith(`${id.toLowerCase()}:`));
  const schema = named ?? schemas.find(({ isExtension }) => !isExtension);
  const [name = "", sub, ...others] = (named === undefined ? path : path.slice(named.id.length + 1)).split(".");
  const attribute = findAttribute(schema?.attributes ?? [], name);
  const inner = sub === undefined ? undefined : findAttribute(attribute?.subAttributes ?? [], sub);
  if (attribute === undefined || attribute.multiValued || others.length > 0) return undefined;
  const text: Attribute | undefined = sub === undefined ? attribute : inner;
  if (text?.type !== "string" || text.isReadOnly) return undefined;
  const prefix = schema?.isExtension ? `${schema.id}:` : "";
  return `${prefix}${attribute.name}${inner === undefined ? "" : `.${inner.name}`}`;
}

/** The text of a resource at a path that `findTextPath` has returned. */
export function textAt(resource: Values, path: string): string | undefined {
  const [, schema, rest = ""] = /^(?:(urn:.*):)?([^:]+)$/.exec(path) ?? [];
  const [name = "", sub] = rest.split(".");
  const container = schema === undefined ? resource : resource[schema];
  const value = isValues(container) ? container[name] : undefined;
  const text = sub === undefined || !isValues(value) ? value : value[sub];
  return typeof text === "string" ? text : undefined;
}
