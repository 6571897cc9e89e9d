/** The namespaces of SAML 2.0 and XML Signature. */
export const SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
export const SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol";
export const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
export const DS = "http://www.w3.org/2000/09/xmldsig#";

export const BINDINGS = "urn:oasis:names:tc:SAML:2.0:bindings:";
