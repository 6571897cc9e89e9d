import { BINDINGS, DS, METADATA, SAMLP } from "./namespaces.ts";

/** The part of a provider's metadata that is stored. */
export interface ProviderMetadata {
  readonly entityId: string;
  /** Where a browser is redirected with a request, and where it posts one; empty if the provider has no such binding. */
  readonly redirectUrl: string;
  readonly postUrl: string;
  /** Whose keys sign assertions: DER in Base64. */
  readonly certificates: readonly string[];
}

/** Metadata with the part that is stored. */
export function writeMetadata({ entityId, redirectUrl, postUrl, certificates }: ProviderMetadata): string {
  const keys = certificates.map(
    (certificate) =>
      `<KeyDescriptor use="signing"><KeyInfo xmlns="${DS}"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
  );
  const services = [
    ["HTTP-Redirect", redirectUrl],
    ["HTTP-POST", postUrl],
  ].flatMap(([binding, url = ""]) =>
    url === "" ? [] : [`<SingleSignOnService Binding="${BINDINGS}${binding}" Location="${escapeXml(url)}"/>`],
  );
  return `<EntityDescriptor xmlns="${METADATA}" entityID="${escapeXml(entityId)}"><IDPSSODescriptor protocolSupportEnumeration="${SAMLP}">${keys.join("")}${services.join("")}</IDPSSODescriptor></EntityDescriptor>`;
}

/** Reads the entity id from metadata of `writeMetadata`. */
export function readEntityId(metadata: string): string {
  const [, escaped = ""] = / entityID="([^"]*)"/.exec(metadata) ?? [];
  return escaped.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
