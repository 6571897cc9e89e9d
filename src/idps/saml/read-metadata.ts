import { X509Certificate } from "node:crypto";
import { describeEndpointProblem } from "../../fields/endpoint.ts";
import { childrenOf, METADATA_LIMITS, parseXml, SamlError, textOf } from "./check-xml.ts";
import { BINDINGS, DS, METADATA, SAMLP } from "./namespaces.ts";
import type { ProviderMetadata } from "./write-metadata.ts";

/** What Signet uses of a provider's metadata. */
export interface SamlMetadata extends ProviderMetadata {
  readonly wantsSignedRequests: boolean;
}

/** Characters of an entity id (SAML 2.0 Core, section 8.3.6). */
const LONGEST_ENTITY_ID = 1_024;
const LONGEST_URL = 2_000;
/** Old and new certificates during a change, with room. */
const MAX_CERTIFICATES = 10;
/** Bits of an RSA key. */
const SHORTEST_KEY = 2_048;

/**
 * Reads the metadata of one provider (SAML 2.0 Metadata). Certificates count for their key, whatever their dates and
 * issuers say, as is usual for SAML.
 *
 * @throws SamlError
 */
export function readMetadata(bytes: Uint8Array): SamlMetadata {
  const { documentElement: root } = parseXml(bytes, METADATA_LIMITS);
  if (root.localName === "EntitiesDescriptor") throw new SamlError("must describe one entity, not several");
  if (root.namespaceURI !== METADATA || root.localName !== "EntityDescriptor") {
    throw new SamlError("must be an EntityDescriptor of SAML 2.0");
  }
  const entityId = root.getAttribute("entityID") ?? "";
  if (entityId === "" || entityId.length > LONGEST_ENTITY_ID || /[\s\p{C}]/u.test(entityId)) {
    throw new SamlError(`must have an entityID of 1 to ${LONGEST_ENTITY_ID} characters without white space`);
  }
  const descriptor = childrenOf(root, METADATA, "IDPSSODescriptor").find((each) =>
    (each.getAttribute("protocolSupportEnumeration") ?? "").split(/\s+/).includes(SAMLP),
  );
  if (descriptor === undefined) throw new SamlError("must have an IDPSSODescriptor for SAML 2.0");
  const urls = { redirectUrl: urlOf(descriptor, "HTTP-Redirect"), postUrl: urlOf(descriptor, "HTTP-POST") };
  if (urls.redirectUrl === "" && urls.postUrl === "") {
    throw new SamlError("must have a SingleSignOnService with the binding HTTP-Redirect or HTTP-POST");
  }
  const wanted = descriptor.getAttribute("WantAuthnRequestsSigned") ?? "";
  const certificates = certificatesOf(descriptor);
  return { entityId, ...urls, certificates, wantsSignedRequests: wanted === "true" || wanted === "1" };
}

function urlOf(descriptor: Element, binding: string): string {
  const services = childrenOf(descriptor, METADATA, "SingleSignOnService");
  const service = services.find((each) => each.getAttribute("Binding") === `${BINDINGS}${binding}`);
  if (service === undefined) return "";
  const url = service.getAttribute("Location") ?? "";
  const problem =
    url.length > LONGEST_URL ? `must have at most ${LONGEST_URL} characters` : describeEndpointProblem(url);
  if (problem !== undefined) throw new SamlError(`the Location of ${binding} ${problem}`);
  return url;
}

function certificatesOf(descriptor: Element): string[] {
  const keys = childrenOf(descriptor, METADATA, "KeyDescriptor").filter((key) => {
    const use = key.getAttribute("use") ?? "";
    return use === "" || use === "signing";
  });
  const found = keys
    .flatMap((key) => childrenOf(key, DS, "KeyInfo"))
    .flatMap((info) => childrenOf(info, DS, "X509Data"))
    .flatMap((data) => childrenOf(data, DS, "X509Certificate"));
  const certificates = [...new Set(found.map((element) => toCertificate(textOf(element))))];
  if (certificates.length === 0) throw new SamlError("must have a signing key with an X509Certificate");
  if (certificates.length > MAX_CERTIFICATES) {
    throw new SamlError(`must have at most ${MAX_CERTIFICATES} signing certificates`);
  }
  return certificates;
}

function toCertificate(text: string): string {
  const base64 = text.replaceAll(/\s/g, "");
  const certificate = readCertificate(base64);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
  if (type !== "rsa" || (details?.modulusLength ?? 0) < SHORTEST_KEY) {
    throw new SamlError(`each signing certificate must have an RSA key of at least ${SHORTEST_KEY} bits`);
  }
  return certificate.raw.toString("base64");
}

function readCertificate(base64: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(base64, "base64"));
  } catch {
    throw new SamlError("has an X509Certificate that is not valid");
  }
}
