import { SAML as Saml, SamlStatusError } from "@node-saml/node-saml";
import { allNamed, childrenOf, LARGE_RESPONSE, parseXml, RESPONSE, SamlError, textOf } from "./check-xml.ts";
import { isLargeResponse } from "./large-response.ts";
import { DS, SAML, SAMLP } from "./namespaces.ts";
import { type ServiceProvider, toOptions } from "./saml-options.ts";

/** A response, and what it has to fit. */
export interface ReceivedResponse {
  readonly serviceProvider: ServiceProvider;
  /** The form field `SAMLResponse`, as it was sent: decoding a large one would delay the event loop. */
  readonly response: string;
  /** The id of the request that it has to answer; undefined for a response that must answer none. */
  readonly requestId: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a provider has signed about a user. */
export interface VerifiedAssertion {
  /** Different for each assertion of the provider (SAML 2.0 Core, section 1.3.4). */
  readonly id: string;
  /** Empty if the provider names the user by an attribute only. */
  readonly nameId: string;
  /** A URN; empty if the provider names none. */
  readonly nameIdFormat: string;
  /** The texts of each attribute, by its name. */
  readonly attributes: readonly (readonly [string, readonly string[]])[];
  /** When the user authenticated at the provider, in seconds since 1970. */
  readonly authTime: number | undefined;
}

/** The provider has responded that the user did not sign in: the last part of the innermost status code. */
export class SamlRefusal extends SamlError {
  readonly status: string;
  constructor(status: string) {
    super(`the provider responded with the status ${status}`);
    this.status = status;
  }
}

/** Of the XML. Members of thousands of groups have hundreds of KB. */
const MAX_BYTES = 1_048_576;
/** Clocks of providers may differ by this much. */
const SKEW_MS = 60_000;
/**
 * The longest time between an assertion that answers no request and its arrival. The browser brings it at once, and its
 * id must be remembered for this long.
 */
const UNSOLICITED_MS = 5 * 60_000;

const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";

/** Without SHA-1, and without anything that transforms what is signed but exclusive and inclusive canonicalization. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  SignatureMethod: [
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
  ],
  DigestMethod: ["http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmlenc#sha512"],
  CanonicalizationMethod: [
    "http://www.w3.org/2001/10/xml-exc-c14n#",
    "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
  ],
  Transform: [
    "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
    "http://www.w3.org/2001/10/xml-exc-c14n#",
    "http://www.w3.org/TR/2001/REC-xml-c14n-20010315",
  ],
};

/**
 * Verifies a response (SAML 2.0 Profiles, section 4.1.4): the form of the document, the signature over the assertion,
 * its own or that of the response, and then what was signed, and nothing else: issuer, audience, recipient, request and
 * times. The caller has used up the request, so a response is accepted once. Of a response without a request, the caller
 * remembers the id.
 *
 * @throws SamlError, or SamlRefusal.
 */
export async function readResponse(received: ReceivedResponse): Promise<VerifiedAssertion> {
  const { serviceProvider, response } = received;
  const bytes = decodeBase64(response);
  if (bytes.length > MAX_BYTES) throw new SamlError(`the response has more than ${MAX_BYTES} bytes`);
  const limits = isLargeResponse(response) ? LARGE_RESPONSE : RESPONSE;
  const document = parseXml(bytes, limits);
  checkResponse(document.documentElement, received);
  checkStructure(document);
  checkAlgorithms(document);
  const signed = await verifySignature(serviceProvider, bytes.toString("base64"));
  return readAssertion(parseXml(Buffer.from(signed), limits).documentElement, received);
}

function decodeBase64(text: string): Buffer {
  const plain = decodePercent(text);
  // White space first: patterns that allow it between the characters take time cubic in its length.
  const base64 = plain.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlError("the response is not Base64");
  return Buffer.from(base64, "base64");
}

/** Base64 has no `%`. A `+` is one of its characters, also where a form should have `%2B`. */
function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SamlError("the response is not Base64");
  }
}

/** The attributes of the response may not be signed, so they are reasons to reject it only. */
function checkResponse(root: Element, { serviceProvider, requestId }: ReceivedResponse): void {
  if (root.namespaceURI !== SAMLP || root.localName !== "Response") throw new SamlError("the document is no response");
  if (root.getAttribute("Version") !== "2.0") throw new SamlError("the version is not 2.0");
  if (root.getAttribute("Destination") !== serviceProvider.acsUrl) {
    throw new SamlError("the Destination is not the URL of the assertion consumer service");
  }
  if (!isResponseTo(root, requestId)) throw new SamlError("the response answers another request");
  const [issuer] = childrenOf(root, SAML, "Issuer");
  if (issuer !== undefined && textOf(issuer) !== serviceProvider.entityId) {
    throw new SamlError("the response has another issuer");
  }
  const [status] = childrenOf(root, SAMLP, "Status");
  const codes = status === undefined ? [] : Array.from(status.getElementsByTagNameNS(SAMLP, "StatusCode"));
  const values = codes.map((code) => code.getAttribute("Value") ?? "");
  if (values.length === 0) throw new SamlError("the response has no status");
  if (values[0] !== SUCCESS) throw new SamlRefusal(/[A-Za-z]{0,50}$/.exec(values.at(-1) ?? "")?.[0] ?? "");
}

/** A response that answers no request has no such attribute (SAML 2.0 Profiles, section 4.1.5). */
function isResponseTo(element: Element, requestId: string | undefined): boolean {
  if (requestId === undefined) return !element.hasAttribute("InResponseTo");
  return element.getAttribute("InResponseTo") === requestId;
}

/**
 * One assertion, where it belongs, and signatures only over the response and the assertion. Wrapping attacks need a
 * second one of either somewhere.
 */
function checkStructure(document: Document): void {
  const root = document.documentElement;
  const assertions = childrenOf(root, SAML, "Assertion");
  if (allNamed(document, "EncryptedAssertion").length > 0)
    throw new SamlError("encrypted assertions are not supported");
  if (allNamed(document, "Response").length !== 1) throw new SamlError("there is not exactly one response");
  const [assertion] = assertions;
  if (assertion === undefined || allNamed(document, "Assertion").length !== 1) {
    throw new SamlError("there is not exactly one assertion");
  }
  const placed = [...childrenOf(root, DS, "Signature"), ...childrenOf(assertion, DS, "Signature")];
  if (placed.length === 0) throw new SamlError("there is no signature over the assertion");
  if (allNamed(document, "Signature").length !== placed.length || placed.length > 2) {
    throw new SamlError("there is a signature in the wrong place");
  }
  const ids = Array.from(document.getElementsByTagNameNS("*", "*")).flatMap((element) =>
    Array.from(element.attributes)
      .filter(({ localName, name }) => (localName ?? name).toLowerCase() === "id")
      .map(({ value }) => value),
  );
  if (new Set(ids).size !== ids.length) throw new SamlError("an ID is used twice");
}

function checkAlgorithms(document: Document): void {
  for (const [name, allowed] of Object.entries(ALGORITHMS)) {
    for (const element of allNamed(document, name)) {
      const algorithm = element.getAttribute("Algorithm") ?? "";
      if (!allowed.includes(algorithm)) throw new SamlError(`the ${name} ${algorithm.slice(0, 100)} is not allowed`);
    }
  }
}

/** @returns The assertion as it was signed. */
async function verifySignature(serviceProvider: ServiceProvider, response: string): Promise<string> {
  const saml = new Saml(toOptions(serviceProvider));
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response });
    const assertion = profile?.getAssertionXml?.();
    if (assertion === undefined) throw new SamlError("the response has no assertion");
    return assertion;
  } catch (error) {
    if (error instanceof SamlError || error instanceof SamlStatusError) throw error;
    throw new SamlError(`the response could not be verified: ${error instanceof Error ? error.message : ""}`);
  }
}

function readAssertion(assertion: Element, { serviceProvider, requestId, now }: ReceivedResponse): VerifiedAssertion {
  const { entityId, acsUrl, audience } = serviceProvider;
  if (assertion.namespaceURI !== SAML || assertion.localName !== "Assertion")
    throw new SamlError("no assertion is signed");
  if (assertion.getAttribute("Version") !== "2.0") throw new SamlError("the version of the assertion is not 2.0");
  if (textOf(only(assertion, "Issuer")) !== entityId) throw new SamlError("the assertion has another issuer");

  const id = assertion.getAttribute("ID") ?? "";
  if (requestId === undefined) checkUnsolicited(assertion, id, now);

  const subject = only(assertion, "Subject");
  const isConfirmed = childrenOf(subject, SAML, "SubjectConfirmation").some((confirmation) => {
    const [data] = childrenOf(confirmation, SAML, "SubjectConfirmationData");
    return (
      confirmation.getAttribute("Method") === BEARER &&
      data?.getAttribute("Recipient") === acsUrl &&
      isResponseTo(data, requestId) &&
      data.hasAttribute("NotOnOrAfter") &&
      isWithin(data, now)
    );
  });
  if (!isConfirmed) throw new SamlError("the subject is not confirmed for this recipient, request and time");

  const conditions = only(assertion, "Conditions");
  if (!isWithin(conditions, now)) throw new SamlError("the assertion is not valid at this time");
  const restrictions = childrenOf(conditions, SAML, "AudienceRestriction");
  const isForUs = restrictions.every((each) =>
    childrenOf(each, SAML, "Audience").some((one) => textOf(one) === audience),
  );
  if (restrictions.length === 0 || !isForUs) throw new SamlError("the assertion is for another audience");

  const [nameId, ...otherNames] = childrenOf(subject, SAML, "NameID");
  if (otherNames.length > 0) throw new SamlError("the assertion must have at most one NameID");
  const [statement] = childrenOf(assertion, SAML, "AuthnStatement");
  if (statement === undefined) throw new SamlError("the assertion does not say that the user authenticated");
  const ended = statement.getAttribute("SessionNotOnOrAfter");
  if (ended && !(toTime(ended) > now - SKEW_MS)) throw new SamlError("the session at the provider has ended");
  const authenticated = toTime(statement.getAttribute("AuthnInstant"));
  return {
    id,
    nameId: nameId === undefined ? "" : textOf(nameId),
    nameIdFormat: nameId?.getAttribute("Format") ?? "",
    attributes: attributesOf(assertion),
    authTime: Number.isNaN(authenticated) ? undefined : Math.floor(authenticated / 1_000),
  };
}

/** It is accepted once, and soon after it was issued. */
function checkUnsolicited(assertion: Element, id: string, now: number): void {
  if (id === "") throw new SamlError("the assertion has no ID");
  const issued = toTime(assertion.getAttribute("IssueInstant"));
  if (!(issued <= now + SKEW_MS && issued > now - SKEW_MS - UNSOLICITED_MS)) {
    throw new SamlError("the assertion was not issued just now");
  }
}

/** The only child with this name. */
function only(parent: Element, name: string): Element {
  const [child, ...others] = childrenOf(parent, SAML, name);
  if (child === undefined || others.length > 0) throw new SamlError(`the assertion must have exactly one ${name}`);
  return child;
}

/** A time that cannot be read is not within. */
function isWithin(element: Element, now: number): boolean {
  const [from, until] = [element.getAttribute("NotBefore"), element.getAttribute("NotOnOrAfter")];
  if (from && !(toTime(from) <= now + SKEW_MS)) return false;
  return !until || toTime(until) > now - SKEW_MS;
}

/** A time in UTC (SAML 2.0 Core, section 1.3.3); NaN for anything else. */
function toTime(text: string | null): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text ?? "") ? Date.parse(text ?? "") : Number.NaN;
}

function attributesOf(assertion: Element): [string, string[]][] {
  const statements = childrenOf(assertion, SAML, "AttributeStatement");
  return statements
    .flatMap((statement) => childrenOf(statement, SAML, "Attribute"))
    .map((attribute) => [
      attribute.getAttribute("Name") ?? "",
      childrenOf(attribute, SAML, "AttributeValue").map(textOf),
    ]);
}
