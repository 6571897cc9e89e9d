import type { VerifiedAssertion } from "../../../idps/saml/read-response.ts";
import type { Claims, KindIdp, SamlKind } from "./kind.ts";

const CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/";

/**
 * The names of the attributes, in the order in which they count: those that people choose, those of X.500 and eduPerson
 * (SAML 2.0 X.500/LDAP Attribute Profile), and those of Microsoft.
 */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  email: ["email", "mail", "emailAddress", "urn:oid:0.9.2342.19200300.100.1.3", `${CLAIMS}emailaddress`],
  given_name: ["given_name", "givenName", "firstName", "urn:oid:2.5.4.42", `${CLAIMS}givenname`],
  family_name: ["family_name", "sn", "surname", "lastName", "urn:oid:2.5.4.4", `${CLAIMS}surname`],
  name: [
    ...["name", "displayName", "urn:oid:2.16.840.1.113730.3.1.241"],
    ...["http://schemas.microsoft.com/identity/claims/displayname", "cn", "urn:oid:2.5.4.3"],
  ],
  preferred_username: [
    ...["preferred_username", "username", "uid", "urn:oid:0.9.2342.19200300.100.1.1"],
    ...["eduPersonPrincipalName", "urn:oid:1.3.6.1.4.1.5923.1.1.1.6", `${CLAIMS}upn`, `${CLAIMS}name`],
  ],
  locale: ["locale", "preferredLanguage", "urn:oid:2.16.840.1.113730.3.1.39"],
};

const EMAIL_ADDRESS = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

/** Any SAML 2.0 provider. SAML does not say whether an address is verified, so a setting does. */
export const saml: SamlKind = { protocol: "saml", toClaims };

function toClaims(
  { nameId, nameIdFormat, attributes }: VerifiedAssertion,
  { settings: { trustEmail = false } }: KindIdp,
): Claims {
  const byName = new Map(attributes.map(([name, [value]]) => [name, value ?? ""] as const).reverse());
  const claims = Object.entries(ATTRIBUTES).flatMap(([claim, names]) => {
    const value = names.map((name) => byName.get(name) ?? "").find((text) => text !== "");
    return value === undefined ? [] : [[claim, value]];
  });
  const name = nameIdFormat === EMAIL_ADDRESS && { email: nameId };
  return { ...name, ...Object.fromEntries(claims), email_verified: trustEmail };
}
