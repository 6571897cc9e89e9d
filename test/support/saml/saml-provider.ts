import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inflateRawSync } from "node:zlib";
import samlify from "samlify";
import type { SigningKey } from "../../../src/idps/saml/saml-options.ts";
import { ENTITY_ID, SAML_KEY, samlMetadata } from "./metadata.ts";

samlify.setSchemaValidator({ validate: async () => "not checked" });

/** The user who signs in next, and how the provider names the user. */
export interface SamlUser {
  readonly nameId: string;
  readonly format: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A request as a browser brings it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly fields: URLSearchParams;
  /** Of a redirect, as it was signed. */
  readonly query: string;
  readonly xml: string;
}

/** A SAML provider made of samlify, with pages. */
export interface SamlProvider {
  readonly origin: string;
  user: SamlUser;
  /** Whether the user declines the sign-in. */
  declines: boolean;
  /** Clock of the provider. */
  now: () => Date;
  readonly requests: ReceivedRequest[];
  metadata(options?: Parameters<typeof samlMetadata>[0]): string;
  close(): Promise<void>;
}

export const PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";

const TEMPLATE = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}" InResponseTo="{InResponseTo}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{StatusCode}"/></samlp:Status><saml:Assertion ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{NameIDFormat}">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{Until}" Recipient="{Destination}" InResponseTo="{InResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{IssueInstant}" NotOnOrAfter="{Until}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{IssueInstant}" SessionIndex="{AssertionID}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>{Attributes}</saml:Assertion></samlp:Response>`;

interface RespondOptions {
  readonly signs?: "assertion" | "message";
  /** Changes what is signed. */
  readonly edit?: (xml: string) => string;
  readonly key?: SigningKey;
  readonly algorithm?: string;
}

/** The response of samlify to a request. */
export async function respond(
  provider: Pick<SamlProvider, "user" | "now">,
  request: { readonly id: string; readonly audience: string; readonly acsUrl: string },
  {
    signs = "assertion",
    edit = (xml) => xml,
    key = SAML_KEY,
    algorithm = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
  }: RespondOptions = {},
): Promise<string> {
  const idp = samlify.IdentityProvider({
    entityID: ENTITY_ID,
    privateKey: key.privateKey,
    signingCert: key.certificate,
    requestSignatureAlgorithm: algorithm,
    loginResponseTemplate: { context: TEMPLATE, attributes: [] },
    singleLogoutService: [
      { Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST", Location: "https://saml.example.com/slo" },
    ],
    singleSignOnService: [
      { Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST", Location: "https://saml.example.com/sso" },
    ],
  });
  const sp = samlify.ServiceProvider({
    entityID: request.audience,
    wantAssertionsSigned: signs === "assertion",
    wantMessageSigned: signs === "message",
    assertionConsumerService: [{ Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST", Location: request.acsUrl }],
  });
  const { nameId, format, attributes } = provider.user;
  const now = provider.now();
  const values = {
    ID: `_${randomUUID()}`,
    AssertionID: `_${randomUUID()}`,
    IssueInstant: now.toISOString(),
    Until: new Date(now.getTime() + 300_000).toISOString(),
    Destination: request.acsUrl,
    InResponseTo: request.id,
    Issuer: ENTITY_ID,
    StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
    NameIDFormat: format,
    NameID: escapeXml(nameId),
    Audience: request.audience,
    Attributes: toAttributes(attributes),
  };
  const fill = (template: string) => ({
    id: values.ID,
    context: edit(template.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name])),
  });
  const info = { extract: { request: { id: request.id } } };
  const { context } = await idp.createLoginResponse(sp, info, "post", {}, fill);
  return context;
}

function toAttributes(attributes: Readonly<Record<string, string>>): string {
  const items = Object.entries(attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${escapeXml(name)}"><saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue></saml:Attribute>`,
  );
  return items.length === 0 ? "" : `<saml:AttributeStatement>${items.join("")}</saml:AttributeStatement>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** Changes a response to one that says that the user did not authenticate. */
export function toRefusal(xml: string): string {
  const status = (name: string, within = "") =>
    `<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${name}">${within}</samlp:StatusCode>`;
  return xml.replace(/<samlp:StatusCode[^>]*\/>/, status("Responder", status("AuthnFailed")));
}

/** The XML of a request of either binding. */
export function readRequest(fields: URLSearchParams, isPost: boolean): string {
  const bytes = Buffer.from(fields.get("SAMLRequest") ?? "", "base64");
  return (isPost ? bytes : inflateRawSync(bytes)).toString("utf8");
}

/** Starts a provider whose page signs the user in, who confirms with a button. */
export async function startSamlProvider(): Promise<SamlProvider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      serve(request.method ?? "", request.url ?? "", Buffer.concat(chunks).toString()).then(
        (html) => response.writeHead(200, { "content-type": "text/html" }).end(html),
        (error) => response.writeHead(500).end(String(error)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: SamlProvider = {
    origin,
    user: { nameId: "1", format: PERSISTENT, attributes: {} },
    declines: false,
    now: () => new Date(),
    requests: [],
    metadata: (options = {}) => samlMetadata({ redirect: `${origin}/redirect`, post: `${origin}/post`, ...options }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };

  async function serve(method: string, url: string, body: string): Promise<string> {
    const { search } = new URL(url, origin);
    if (url.startsWith("/favicon")) return "";
    const fields = new URLSearchParams(method === "POST" ? body : search);
    const xml = readRequest(fields, method === "POST");
    provider.requests.push({ method, fields, query: search.slice(1), xml });
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? "";
    const audience = /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? "";
    const request = { id: attribute("ID"), audience, acsUrl: attribute("AssertionConsumerServiceURL") };
    const response = await respond(provider, request, provider.declines ? { edit: toRefusal } : {});
    const inputs = [
      ["SAMLResponse", response],
      ["RelayState", fields.get("RelayState") ?? ""],
    ].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
    return `<!doctype html><title>Provider</title><link rel=icon href=data:><form method="post" action="${request.acsUrl}">${inputs.join("")}<button>Yes</button></form>`;
  }
  return provider;
}
