import { createSigningKey, readSigningKey } from "../../../src/idps/saml/signing-key.ts";

const DS = "http://www.w3.org/2000/09/xmldsig#";
const BINDINGS = "urn:oasis:names:tc:SAML:2.0:bindings:";
export const ENTITY_ID = "https://saml.example.com/entity";

/** The keys with which the providers of the tests sign, and one that no provider has. */
export const SAML_KEY = readSigningKey(await createSigningKey(new Date()));
export const OTHER_SAML_KEY = readSigningKey(await createSigningKey(new Date()));

export interface MetadataOptions {
  readonly entityId?: string;
  readonly redirect?: string;
  readonly post?: string;
  /** PEM. */
  readonly certificates?: readonly string[];
  readonly attributes?: string;
}

/** The certificate as it stands in XML. */
export function bare(pem: string): string {
  return pem.replaceAll(/-----[A-Z ]+-----|\s/g, "");
}

/** Metadata as an identity provider publishes them, with a comment and a key for encryption. */
export function samlMetadata({
  entityId = ENTITY_ID,
  redirect = "https://saml.example.com/sso",
  post = "https://saml.example.com/sso",
  certificates = [SAML_KEY.certificate],
  attributes = "",
}: MetadataOptions = {}): string {
  const key = (use: string, pem: string) =>
    `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="${DS}"><ds:X509Data><ds:X509Certificate>\n${bare(pem).replaceAll(/(.{64})/g, "$1\n")}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  const service = (binding: string, url: string) =>
    url && `<md:SingleSignOnService Binding="${BINDINGS}${binding}" Location="${url.replaceAll("&", "&amp;")}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- of the tests -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"${attributes}>
${certificates.map((pem) => key("signing", pem)).join("\n")}
${key("encryption", OTHER_SAML_KEY.certificate)}
<md:SingleLogoutService Binding="${BINDINGS}HTTP-Redirect" Location="https://saml.example.com/slo"/>
<md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
${service("HTTP-Redirect", redirect)}
${service("HTTP-POST", post)}
</md:IDPSSODescriptor>
</md:EntityDescriptor>`;
}

export const SAML_METADATA = samlMetadata();
