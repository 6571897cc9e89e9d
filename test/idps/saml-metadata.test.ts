import { execFileSync } from "node:child_process";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSamlThread } from "../../src/idps/saml/saml-thread.ts";
import { createSigningKey, readSigningKey } from "../../src/idps/saml/signing-key.ts";
import { writeMetadata } from "../../src/idps/saml/write-metadata.ts";
import { bare, ENTITY_ID, OTHER_SAML_KEY, SAML_KEY, samlMetadata } from "../support/saml/metadata.ts";

const thread = createSamlThread();
const read = (xml: string | Buffer) => thread.readMetadata(Buffer.from(xml));
const URL_OF = "https://saml.example.com/sso";

test("metadata are read, and written in the short form that is stored", async () => {
  const certificates = [SAML_KEY.certificate, OTHER_SAML_KEY.certificate, SAML_KEY.certificate];
  const attributes = ' WantAuthnRequestsSigned="true"';
  const result = await read(samlMetadata({ certificates, attributes, redirect: `${URL_OF}?a=1&b=2` }));
  const value = {
    entityId: ENTITY_ID,
    redirectUrl: `${URL_OF}?a=1&b=2`,
    postUrl: URL_OF,
    certificates: [bare(SAML_KEY.certificate), bare(OTHER_SAML_KEY.certificate)],
    wantsSignedRequests: true,
  };
  expect(result).toEqual({ ok: true, value });
  expect(await read(writeMetadata(value))).toEqual({ ok: true, value: { ...value, wantsSignedRequests: false } });
});

test("the sample for docs/guides/customers.md can be used", async () => {
  const result = await read(readFileSync("examples/saml-metadata.xml"));
  expect(result).toMatchObject({ ok: true, value: { entityId: "https://idp.example.com/saml" } });
});

test("one binding is enough", async () => {
  expect(await read(samlMetadata({ redirect: "" }))).toMatchObject({ value: { redirectUrl: "", postUrl: URL_OF } });
  expect(await read(samlMetadata({ post: "" }))).toMatchObject({ value: { redirectUrl: URL_OF, postUrl: "" } });
});

const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const notCertificate = String(publicKey.export({ format: "pem", type: "spki" }));
const valid = samlMetadata();
const withElements = (xml: string) => valid.replace("<md:IDPSS", `${xml}<md:IDPSS`);
const named = (count: number) => Array.from({ length: count }, (_, number) => `<a${number}></a${number}>`).join("");
const attributes = (count: number) => Array.from({ length: count }, (_, number) => `a${number}=""`).join(" ");

test("metadata are read up to the limits, with comments, CDATA sections and processing instructions", async () => {
  const parts = ["<a/>".repeat(4_500), named(150), `<${"b".repeat(200)} ${attributes(2_000)}/>`];
  const xml = withElements(`${parts.join("")}<!-- <?a ?> --><![CDATA[<a>]]><?a b?>`);
  expect(await read(xml)).toMatchObject({ ok: true, value: { entityId: ENTITY_ID } });
});

test.each([
  ["no binding", samlMetadata({ redirect: "", post: "" }), /must have a SingleSignOnService/],
  ["a URL without https", samlMetadata({ redirect: "http://saml.example.com/sso" }), /Location of HTTP-Redirect/],
  ["a script as URL", samlMetadata({ post: "javascript:alert(1)" }), /Location of HTTP-POST/],
  ["a long URL", samlMetadata({ post: `${URL_OF}/${"x".repeat(2_000)}` }), /at most 2000 characters/],
  ["no certificate", samlMetadata({ certificates: [] }), /signing key/],
  ["a certificate that is none", samlMetadata({ certificates: [notCertificate] }), /not valid/],
  ["another root", "<a/>", /EntityDescriptor/],
  [
    "several entities",
    `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${valid.slice(valid.indexOf("<md:"))}</EntitiesDescriptor>`,
    /not several/,
  ],
  ["no entity id", valid.replace(/entityID="[^"]*"/, ""), /entityID/],
  ["a long entity id", samlMetadata({ entityId: "x".repeat(1_025) }), /entityID/],
  ["an entity id with white space", samlMetadata({ entityId: "a b" }), /entityID/],
  ["another protocol", valid.replace("SAML:2.0:protocol", "SAML:1.1:protocol"), /IDPSSODescriptor/],
  ["a service provider", valid.replaceAll("IDPSSODescriptor", "SPSSODescriptor"), /IDPSSODescriptor/],
  ["a document type", valid.replace("?>", "?><!DOCTYPE a>"), /document type/],
  ["an entity", valid.replace("?>", '?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>'), /document type/],
  ["deep nesting", valid.replace("<md:IDPSS", `${"<a>".repeat(60)}${"</a>".repeat(60)}<md:IDPSS`), /nested/],
  [
    "deep nesting with end tags that do not match",
    valid.replace("<md:IDPSS", `${"<a></b>".repeat(60)}</a><md:IDPSS`),
    /nested/,
  ],
  ["500,000 bytes of tags that do not end", "<a".repeat(250_000), /at most 5000 elements/],
  ["many elements", withElements("<a/>".repeat(5_001)), /at most 5000 elements/],
  ["many names of elements", withElements(named(201)), /at most 200 different names/],
  ["a long name of an element", withElements(`<${"a".repeat(201)}/>`), /at most 200 characters/],
  ["processing instructions that do not end", withElements("<?".repeat(1_000)), /instruction does not end/],
  ["CDATA sections that do not end", withElements("<![CDATA[".repeat(1_000)), /CDATA section does not end/],
  ["text", "metadata", /XML/],
  ["UTF-16", Buffer.from(valid, "utf16le"), /UTF-8|XML/],
])("metadata are rejected with %s", async (_title, xml, problem) => {
  const result = await read(xml);
  expect(result).toEqual({ ok: false, refusal: undefined, problem: expect.stringMatching(problem) });
});

test("a key for requests has a certificate that Node and OpenSSL accept", async () => {
  for (const now of [new Date("2026-11-24T12:00:00Z"), new Date("2035-01-01T00:00:00Z")]) {
    const { privateKey, certificate } = readSigningKey(await createSigningKey(now));
    const x509 = new X509Certificate(certificate);
    expect(x509.verify(x509.publicKey)).toBe(true);
    expect([x509.subject, x509.issuer]).toEqual(["CN=Signet", "CN=Signet"]);
    expect(x509.validFromDate).toEqual(now);
    expect(x509.validToDate.getUTCFullYear()).toBe(now.getUTCFullYear() + 20);
    expect(x509.checkPrivateKey((await import("node:crypto")).createPrivateKey(privateKey))).toBe(true);
    const text = execFileSync("openssl", ["x509", "-noout", "-text"], { input: certificate, encoding: "utf8" });
    expect(text).toContain("Version: 3");
    expect(text).toContain("sha256WithRSAEncryption");
  }
});
