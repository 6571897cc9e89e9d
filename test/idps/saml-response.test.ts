import { createSamlThread } from "../../src/idps/saml/saml-thread.ts";
import { bare, ENTITY_ID, OTHER_SAML_KEY, SAML_KEY, SAML_METADATA } from "../support/saml/metadata.ts";
import { PERSISTENT, respond } from "../support/saml/saml-provider.ts";

const thread = createSamlThread();
const NOW = new Date("2026-11-24T12:00:00.000Z");
const serviceProvider = {
  entityId: ENTITY_ID,
  certificates: [bare(SAML_KEY.certificate)],
  audience: "https://signet.example.com/ui/idps/1/saml/metadata",
  acsUrl: "https://signet.example.com/ui/idps/1/saml/acs",
};
const provider = {
  user: { nameId: "grace", format: PERSISTENT, attributes: { email: "grace@example.com", team: "R&D <1>" } },
  now: () => NOW,
};
const REQUEST = { id: "_request", audience: serviceProvider.audience, acsUrl: serviceProvider.acsUrl };
const SKEW = 60_000;

type Options = Parameters<typeof respond>[2];
const create = (options?: Options) => respond(provider, REQUEST, options);
const read = (response: string, now = NOW.getTime(), more = {}) =>
  thread.readResponse(
    { serviceProvider: { ...serviceProvider, ...more }, response, requestId: "_request", now },
    "192.0.2.1",
  );

const toXml = (response: string) => Buffer.from(response, "base64").toString("utf8");
const toResponse = (xml: string) => Buffer.from(xml).toString("base64");

const ACCEPTED = {
  id: expect.stringMatching(/^_[0-9a-f-]{36}$/),
  nameId: "grace",
  nameIdFormat: PERSISTENT,
  attributes: [
    ["email", ["grace@example.com"]],
    ["team", ["R&D <1>"]],
  ],
  authTime: NOW.getTime() / 1_000,
};

describe("samlify's response is accepted", () => {
  test.each(["assertion", "message"] as const)("with a signature over the %s", async (signs) => {
    expect(await read(await create({ signs }))).toEqual({ ok: true, value: ACCEPTED });
  });

  test("with line breaks in its Base64", async () => {
    const response = (await create()).replaceAll(/(.{76})/g, "$1\r\n");
    expect(await read(response)).toEqual({ ok: true, value: ACCEPTED });
  });

  test("with any of several certificates", async () => {
    const certificates = [bare(OTHER_SAML_KEY.certificate), bare(SAML_KEY.certificate)];
    expect(await read(await create(), NOW.getTime(), { certificates })).toEqual({ ok: true, value: ACCEPTED });
  });

  test("with the name as it was signed, without the white space of XML around it, but with any other", async () => {
    for (const [signed, nameId] of [
      [" \t\ngrace ", "grace"],
      ["grace\u00a0", "grace\u00a0"],
      ["\u2003grace\u3000", "\u2003grace\u3000"],
    ] as const) {
      const user = { ...provider.user, nameId: signed };
      const response = await respond({ ...provider, user }, REQUEST);
      expect(await read(response)).toMatchObject({ ok: true, value: { nameId } });
    }
  });

  test.each([-SKEW, 299_999 + SKEW])("%d ms after it was issued", async (ms) => {
    expect(await read(await create(), NOW.getTime() + ms)).toMatchObject({ ok: true });
  });
});

test("a response with thousands of typed values is accepted, also percent-encoded", async () => {
  const types =
    'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string"';
  const values = Array.from(
    { length: 2_000 },
    (_, n) => `<saml:AttributeValue ${types}>Group ${n}</saml:AttributeValue>`,
  );
  const edit = (xml: string) =>
    xml.replace("<saml:AttributeStatement>", (start) => {
      return `${start}<saml:Attribute Name="memberOf">${values.join("")}</saml:Attribute>`;
    });
  const response = encodeURIComponent(await create({ edit }));
  const outcome = await read(response);
  const attributes = outcome.ok ? outcome.value.attributes : outcome.problem;
  expect(attributes).toEqual([["memberOf", values.map((_, n) => `Group ${n}`)], ...ACCEPTED.attributes]);
});

/** Signed by the provider, and not for this sign-in. */
const SIGNED: readonly (readonly [string, Options, RegExp])[] = [
  ["another key", { key: OTHER_SAML_KEY }, /could not be verified/],
  ["another key over the response", { key: OTHER_SAML_KEY, signs: "message" }, /could not be verified/],
  ["SHA-1", { algorithm: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" }, /is not allowed/],
  ...(
    [
      ["another audience", /<saml:Audience>.*?</, "<saml:Audience>https://other.example.com<", /audience/],
      ["an audience with ours as its start", /(<saml:Audience>.*?)</, "$1/x<", /audience/],
      ["no audience", /<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, "", /another audience|verified/],
      [
        "two restrictions of which one is not ours",
        /(<saml:AudienceRestriction>)/,
        "<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>$1",
        /audience/,
      ],
      ["another recipient", /Recipient="[^"]*"/, 'Recipient="https://other.example.com/acs"', /not confirmed/],
      ["no recipient", /Recipient="[^"]*"/, "", /not confirmed/],
      ["another destination", /Destination="[^"]*"/, 'Destination="https://other.example.com/acs"', /Destination/],
      ["no destination", /Destination="[^"]*"/, "", /Destination/],
      ["another request", /InResponseTo="_request"/g, 'InResponseTo="_other"', /another request/],
      [
        "another request for the subject only",
        /(Recipient="[^"]*") InResponseTo="_request"/,
        '$1 InResponseTo="_other"',
        /not confirmed/,
      ],
      ["no request (the sign-in began at the provider)", /InResponseTo="_request"/g, "", /another request/],
      ["no request for the subject", /(Recipient="[^"]*") InResponseTo="_request"/, "$1", /not confirmed/],
      ["another issuer", /(<saml:Assertion.*?<saml:Issuer>).*?</, "$1https://other.example.com<", /another issuer/],
      [
        "another issuer of the response",
        /<saml:Issuer>.*?</,
        "<saml:Issuer>https://other.example.com<",
        /another issuer/,
      ],
      ["no end of the confirmation", /(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]*"/, "$1", /NotOnOrAfter/],
      [
        "a time that is none",
        /(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]*"/,
        '$1 NotOnOrAfter="never"',
        /NotOnOrAfter/,
      ],
      ["another confirmation", /cm:bearer/, "cm:holder-of-key", /not confirmed/],
      ["no conditions", /<saml:Conditions.*<\/saml:Conditions>/, "", /Conditions|verified/],
      ["two subjects", /(<saml:Subject>.*<\/saml:Subject>)/, "$1$1", /exactly one Subject/],
      ["two names", /(<saml:NameID.*<\/saml:NameID>)/, "$1$1", /at most one NameID/],
      ["no authentication", /<saml:AuthnStatement.*<\/saml:AuthnStatement>/, "", /authenticated/],
      ["an ended session", /SessionIndex=/, 'SessionNotOnOrAfter="2026-11-24T11:00:00Z" SessionIndex=', /session/],
      ["another version", /(<saml:Assertion[^>]*Version=)"2.0"/, '$1"1.1"', /version/],
      [
        "an ID that is used twice",
        /(<saml:Advice>)?<saml:Conditions/,
        '<saml:Advice ID="_x"/><saml:Advice ID="_x"/><saml:Conditions',
        /used twice/,
      ],
    ] as const
  ).map(
    ([title, pattern, by, problem]) => [title, { edit: (xml: string) => xml.replace(pattern, by) }, problem] as const,
  ),
];

const NO_ISSUER: Options = {
  signs: "message",
  edit: (xml) => xml.replace(/(<saml:Assertion[^>]*>)<saml:Issuer>.*?<\/saml:Issuer>/, "$1"),
};

test.each([...SIGNED, ["no issuer", NO_ISSUER, /exactly one Issuer/] as const])(
  "a response is rejected with %s",
  async (_title, options, problem) => {
    const result = await read(await create(options));
    expect(result).toEqual({ ok: false, refusal: undefined, problem: expect.stringMatching(problem) });
  },
);

test.each([-SKEW - 1, 300_000 + SKEW])("a response is rejected %d ms after it was issued", async (ms) => {
  expect(await read(await create(), NOW.getTime() + ms)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/not confirmed|not valid at this time/),
  });
});

test.each([
  ["urn:oasis:names:tc:SAML:2.0:status:Responder", "AuthnFailed"],
  ["urn:oasis:names:tc:SAML:2.0:status:Requester", "RequestDenied"],
])("the status %s is the provider's refusal", async (status, refusal) => {
  const code = `<samlp:StatusCode Value="${status}"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${refusal}"/></samlp:StatusCode>`;
  const edit = (xml: string) => xml.replace(/<samlp:StatusCode[^>]*\/>/, code);
  expect(await read(await create({ edit }))).toMatchObject({ ok: false, refusal });
});

describe("a response without a request", () => {
  const unsolicited = (more?: (xml: string) => string) =>
    create({ edit: (xml) => (more ?? ((same) => same))(xml.replaceAll(/ InResponseTo="[^"]*"/g, "")) });
  const readUnsolicited = (response: string, now = NOW.getTime()) =>
    thread.readResponse({ serviceProvider, response, requestId: undefined, now }, "192.0.2.1");

  test("with the name as it was signed, without the white space of XML around it, but with any other", async () => {
    for (const [signed, nameId] of [
      [" \t\ngrace ", "grace"],
      ["grace\u00a0", "grace\u00a0"],
      ["\u2003grace\u3000", "\u2003grace\u3000"],
    ] as const) {
      const user = { ...provider.user, nameId: signed };
      const response = await respond({ ...provider, user }, REQUEST);
      expect(await read(response)).toMatchObject({ ok: true, value: { nameId } });
    }
  });

  test.each([-SKEW, 299_999 + SKEW])("is accepted %d ms after it was issued, where none is expected", async (ms) => {
    expect(await readUnsolicited(await unsolicited(), NOW.getTime() + ms)).toEqual({ ok: true, value: ACCEPTED });
  });

  /** Conditions that last for a day do not make it last longer. */
  const lasting = (xml: string) => xml.replaceAll(/NotOnOrAfter="[^"]*"/g, 'NotOnOrAfter="2026-11-25T12:00:00Z"');

  test.each([-SKEW - 1, 300_000 + SKEW])(
    "is rejected %d ms after it was issued, however long it is valid",
    async (ms) => {
      const early = (xml: string) => lasting(xml).replaceAll(/NotBefore="[^"]*"/g, "");
      expect(await readUnsolicited(await unsolicited(early), NOW.getTime() + ms)).toEqual({
        ok: false,
        refusal: undefined,
        problem: "the assertion was not issued just now",
      });
    },
  );

  test.each([
    ["a request", create(), /another request/],
    [
      "a request for the subject only",
      create({ edit: (xml) => xml.replace(/ InResponseTo="_request"/, "") }),
      /not confirmed/,
    ],
    ["an empty request", create({ edit: (xml) => xml.replaceAll('"_request"', '""') }), /another request/],
    [
      "no time of issue",
      unsolicited((xml) => xml.replace(/(<saml:Assertion[^>]*) IssueInstant="[^"]*"/, "$1")),
      /issued just now|IssueInstant/,
    ],
  ] as const)("is rejected with %s", async (_title, response, problem) => {
    expect(await readUnsolicited(await response)).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
  });

  test.each(SIGNED.filter(([title]) => !title.includes("request")))(
    "is rejected with %s",
    async (_title, options, problem) => {
      const edit = (xml: string) => (options?.edit ?? ((same) => same))(xml.replaceAll(/ InResponseTo="[^"]*"/g, ""));
      expect(await readUnsolicited(await create({ ...options, edit }))).toMatchObject({
        ok: false,
        problem: expect.stringMatching(problem),
      });
    },
  );
});

test("a response is read while more metadata wait than may", async () => {
  const response = await create();
  const metadata = Array.from({ length: 300 }, () => thread.readMetadata(Buffer.from(SAML_METADATA)));
  const outcomes = Promise.allSettled(metadata);
  expect(await read(response)).toEqual({ ok: true, value: ACCEPTED });
  expect((await outcomes).filter(({ status }) => status === "rejected")).not.toEqual([]);
});

const manyAttributes = (count: number) => Array.from({ length: count }, (_, number) => `a${number}=""`).join(" ");
const manyNames = (count: number) => Array.from({ length: count }, (_, number) => `<a${number}></a${number}>`).join("");

/** As long as a form can be. */
test.each([
  ["a line that a paragraph separator ends", toResponse(`<a>${"a".repeat(47_000)}\u2029</a>`), /U\+2029/],
  ["white space within its Base64", `A${" ".repeat(60_000)}!`, /not Base64/],
  ["tags that do not end", toResponse("<a".repeat(24_000)), /at most 1500 elements/],
  ["many elements", toResponse(`<a>${"<b/>".repeat(11_500)}</a>`), /at most 1500 elements/],
  ["end tags that do not match", toResponse(`${"<a></b>".repeat(1_500)}</a>`), /nested/],
  ["elements of a large response", toResponse(`<a>${"<b/>".repeat(30_000)}</a>`), /at most 4000 elements/],
  ["more than 1 MiB", toResponse("a".repeat(1_048_577)), /more than 1048576 bytes/],
  ["what is not percent-encoded", "%%", /not Base64/],
  ["many attributes", toResponse(`<a ${manyAttributes(5_000)}/>`), /at most 1500 attributes/],
  ["attributes of many elements", toResponse(`<a>${'<b a="" c=""/>'.repeat(751)}</a>`), /at most 1500 attributes/],
  ["many names of elements", toResponse(manyNames(1_000)), /at most 200 different names/],
  ["a long name of an element", toResponse(`<a${"b".repeat(20_000)}>${"</c>".repeat(7_000)}`), /200 characters/],
])("a response is rejected in time with %s", async (_title, response, problem) => {
  expect(await read(response)).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
});

const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;
const SIGNATURE = /<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s;
const forge = (assertion: string, id = "_forged") =>
  assertion
    .replace(/ID="[^"]*"/, `ID="${id}"`)
    .replace(SIGNATURE, "")
    .replace(">grace<", ">admin<");

/** Changed after it was signed. Wrapping attacks: "On Breaking SAML" (USENIX Security 2012), table 2. */
const TAMPERED: readonly (readonly [string, (xml: string, assertion: string) => string, RegExp])[] = [
  ["another name", (xml) => xml.replace(">grace<", ">admin<"), /could not be verified/],
  ["another attribute", (xml) => xml.replace(">grace@example.com<", ">admin@example.com<"), /could not be verified/],
  ["no signature", (xml) => xml.replace(SIGNATURE, ""), /no signature/],
  ["a comment in the name", (xml) => xml.replace(">grace<", ">gr<!-- -->ace<"), /comments/],
  ["a comment that hides the end of a name", (xml) => xml.replace(">grace<", ">grace<!-- -->.example<"), /comments/],
  [
    "a processing instruction in the name",
    (xml) => xml.replace(">grace<", ">gr<?x y?>ace<"),
    /processing instructions/,
  ],
  ["a CDATA section", (xml) => xml.replace(">grace<", "><![CDATA[grace]]><"), /CDATA/],
  ["a document type", (xml) => `<!DOCTYPE x>${xml}`, /document type/],
  [
    "an external entity",
    (xml) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml.replace(">grace<", ">&e;<")}`,
    /document type/,
  ],
  [
    "entities that expand",
    (xml) =>
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>${xml.replace(">grace<", ">&b;<")}`,
    /document type/,
  ],
  ["an undefined entity", (xml) => xml.replace(">grace<", ">&e;<"), /must be XML|could not/],
  ["a forged assertion before the signed one", (xml, a) => xml.replace(a, forge(a) + a), /exactly one assertion/],
  ["a forged assertion after the signed one", (xml, a) => xml.replace(a, a + forge(a)), /exactly one assertion/],
  [
    "the signed assertion within the forged one",
    (xml, a) =>
      xml.replace(a, forge(a).replace("</saml:Assertion>", `<saml:Advice>${a}</saml:Advice></saml:Assertion>`)),
    /exactly one assertion/,
  ],
  [
    "the signed assertion within the signature of the forged one",
    (xml, a) => {
      const [signature = ""] = SIGNATURE.exec(a) ?? [];
      const wrapped = signature.replace(
        /<\/(ds:)?Signature>/,
        `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${a}</ds:Object></$1Signature>`,
      );
      return xml.replace(a, forge(a).replace("</saml:Issuer>", `</saml:Issuer>${wrapped}`));
    },
    /exactly one assertion/,
  ],
  [
    "the signed response within another one",
    (xml, a) =>
      xml
        .replace(a, forge(a))
        .replace("</samlp:Response>", `<samlp:Extensions>${xml}</samlp:Extensions></samlp:Response>`),
    /exactly one response|exactly one assertion/,
  ],
  [
    "a forged assertion with the ID of the signed one",
    (xml, a) => xml.replace(a, forge(a, /ID="([^"]*)"/.exec(a)?.[1]) + a),
    /exactly one assertion/,
  ],
  [
    "a signature moved to the response",
    (xml, a) => {
      const [signature = ""] = SIGNATURE.exec(a) ?? [];
      return xml.replace(a, forge(a)).replace("<samlp:Status>", `${signature}<samlp:Status>`);
    },
    /could not be verified|in the wrong place/,
  ],
  ["a transform by XSLT", (xml) => xml.replace("xmldsig#enveloped-signature", "REC-xslt-19991116"), /is not allowed/],
  ["a signature by HMAC", (xml) => xml.replace("xmldsig-more#rsa-sha256", "xmldsig#hmac-sha1"), /is not allowed/],
  [
    "an encrypted assertion",
    (xml, a) => xml.replace(a, '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
    /encrypted/,
  ],
  ["another document", () => "<a/>", /no response/],
  ["text", () => "grace", /XML/],
  ["nothing that ends", (xml) => xml.slice(0, -20), /XML|could not/],
  [
    "51 levels",
    (xml) => xml.replace("<samlp:Status>", `${"<a>".repeat(51)}${"</a>".repeat(51)}<samlp:Status>`),
    /nested/,
  ],
];

test.each(TAMPERED)("a response is rejected with %s", async (_title, tamper, problem) => {
  const xml = toXml(await create());
  const [assertion = ""] = ASSERTION.exec(xml) ?? [];
  const tampered = tamper(xml, assertion);
  expect(tampered).not.toBe(xml);
  expect(await read(toResponse(tampered))).toEqual({
    ok: false,
    refusal: undefined,
    problem: expect.stringMatching(problem),
  });
});

test("bytes that are not Base64 or UTF-8 are rejected", async () => {
  expect(await read("%%%")).toMatchObject({ ok: false, problem: "the response is not Base64" });
  expect(await read(Buffer.from([0x3c, 0xff, 0xfe]).toString("base64"))).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/UTF-8/),
  });
});
