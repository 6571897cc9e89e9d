import { ASTRAL, CLIENT_SECRET, EMOJI } from "../support/clients/requests.ts";

export type IdpRpc = "AddOIDCIDP" | "AddOrgOIDCIDP";

/** Longest issuer, in characters. */
const ISSUER_LIMITS: Record<IdpRpc, number> = { AddOIDCIDP: 200, AddOrgOIDCIDP: 2_048 };

/** The stored form of a configuration with only the required fields. */
export const STORED_IDP = {
  name: "Example",
  stylingType: 0,
  clientId: "signet",
  issuer: "https://accounts.example.com",
  scopes: [] as string[],
  displayNameMapping: 0,
  usernameMapping: 0,
  autoRegister: false,
};

export interface AcceptedIdp {
  readonly title: string;
  readonly changes: object;
  /** How the stored configuration differs from `STORED_IDP`. */
  readonly stored?: Partial<typeof STORED_IDP>;
  readonly secret?: string;
}

export interface RejectedIdp {
  readonly title: string;
  readonly changes: object;
  readonly fields: readonly string[];
}

// test/fields/issuer.test.ts covers all issuers.
export const acceptedIdps = (rpc: IdpRpc): AcceptedIdp[] => [
  { title: "the required fields alone, with a default for every other", changes: {} },
  ...(["name", "clientId"] as const).flatMap((field) =>
    [
      ["one character", "x"],
      ["200 letters of four bytes", ASTRAL.repeat(200)],
      ["200 emoji", EMOJI.repeat(200)],
    ].map(([what = "", value]) => ({
      title: `${field} of ${what}`,
      changes: { [field]: value },
      stored: { [field]: value },
    })),
  ),
  { title: "clientId of white space alone", changes: { clientId: " " }, stored: { clientId: " " } },
  { title: "name without the white space around it", changes: { name: " Example " } },
  { title: "issuer without the white space around it", changes: { issuer: " https://accounts.example.com\r\n" } },
  ...[
    ["one character", "x"],
    ["200 letters of four bytes", "\u{1d54a}".repeat(200)],
    ["200 emoji", "\u{1f511}".repeat(200)],
    ["quotes and backslashes", `"secret"\\'of the tests'`],
  ].map(([what = "", clientSecret = ""]) => ({
    title: `clientSecret of ${what}`,
    changes: { clientSecret },
    secret: clientSecret,
  })),
  ...[
    issuerOfLength(ISSUER_LIMITS[rpc]),
    "https://accounts.example.com:8443/realms/one",
    "HTTPS://Accounts.Example.com",
    "http://localhost:8080/dex",
    "http://127.0.0.1:5556",
    "http://[::1]:9000",
  ].map((issuer) => ({
    title: `issuer ${shorten(issuer)}`,
    changes: { issuer },
    stored: { issuer },
  })),
  ...(
    [
      ["no scopes", [], []],
      ["scopes in the order given", ["profile", "openid", "email"], ["profile", "openid", "email"]],
      ["repeated scopes once, where they came first", ["b", "a", "b", "c", "a", "b"], ["b", "a", "c"]],
      ["scopes that differ in case", ["openid", "OpenID"], ["openid", "OpenID"]],
      ["scopes of every character that RFC 6749 allows at the edges", ["!", "#[", "]~"], ["!", "#[", "]~"]],
      ["fifty scopes", manyScopes(50), manyScopes(50)],
      ["a scope that is a URL", ["https://api.example.com/read"], ["https://api.example.com/read"]],
      ["a scope of 500 characters", ["x".repeat(500)], ["x".repeat(500)]],
      ["scopes in one text", [" openid  email profile"], ["openid", "email", "profile"]],
      ["scopes in several texts", ["openid email", "email profile"], ["openid", "email", "profile"]],
      ["fifty scopes in one text", [manyScopes(50).join(" ")], manyScopes(50)],
    ] as const
  ).map(([title, scopes, stored]) => ({ title, changes: { scopes }, stored: { scopes: [...stored] } })),
  {
    title: "enums by name",
    changes: {
      stylingType: "STYLING_TYPE_GOOGLE",
      displayNameMapping: "OIDC_MAPPING_FIELD_PREFERRED_USERNAME",
      usernameMapping: "OIDC_MAPPING_FIELD_EMAIL",
    },
    stored: { stylingType: 1, displayNameMapping: 1, usernameMapping: 2 },
  },
  {
    title: "enums by number",
    changes: { stylingType: 1, displayNameMapping: 2, usernameMapping: 1 },
    stored: { stylingType: 1, displayNameMapping: 2, usernameMapping: 1 },
  },
  {
    title: "enums named as unspecified",
    changes: {
      stylingType: "STYLING_TYPE_UNSPECIFIED",
      displayNameMapping: "OIDC_MAPPING_FIELD_UNSPECIFIED",
      usernameMapping: "OIDC_MAPPING_FIELD_UNSPECIFIED",
    },
  },
  { title: "autoRegister", changes: { autoRegister: true }, stored: { autoRegister: true } },
];

export const rejectedIdps = (rpc: IdpRpc): RejectedIdp[] => [
  ...[
    ["white space alone", "\u3000 "],
    ["an invisible character", "Exam\u200bple"],
    ["a character that reorders text", "Example \u202eelpmaxE"],
    ["a line break", "Example\nSignet"],
  ].map(([what, name]) => ({ title: `name of ${what}`, changes: { name }, fields: ["name"] })),
  ...["name", "clientId", "clientSecret"].flatMap((field) =>
    (
      [
        ["left out", undefined],
        ["empty", ""],
        ["of 201 characters", "x".repeat(201)],
        ["of 201 emoji", EMOJI.repeat(201)],
        ["with a NUL", "one\0two"],
        ["of a NUL alone", "\0"],
      ] as const
    ).map(([what, value]) => ({ title: `${field} ${what}`, changes: { [field]: value }, fields: [field] })),
  ),
  ...[
    ["left out", undefined],
    ["empty", ""],
    ["one character too long", issuerOfLength(ISSUER_LIMITS[rpc] + 1)],
    ["without a scheme", "accounts.example.com"],
    ["with one slash", "https:/accounts.example.com"],
    ["that is a script", "javascript:alert(1)"],
    ["of http on another host", "http://accounts.example.com"],
    ["of http on a host that begins like a loopback address", "http://127.0.0.1.example.com"],
    ["with a query", "https://accounts.example.com/?realm=one"],
    ["with a fragment", "https://accounts.example.com/#one"],
    ["with a user", "https://ada@accounts.example.com"],
    ["with a space in it", "https://accounts.example.com/ one"],
    ["with a letter beyond ASCII", "https://accounts.example.com/\u00e9"],
    ["with a NUL", "https://accounts.example.com/\0"],
  ].map(([what, issuer]) => ({ title: `issuer ${what}`, changes: { issuer }, fields: ["issuer"] })),
  ...[
    ["that is empty", ""],
    ["of white space alone", "  "],
    ["of 501 characters", `email ${"x".repeat(501)}`],
    ["in a text of 2,001 characters", "x ".repeat(1_000).padEnd(2_001)],
    ["with a quote", 'open"id'],
    ["with a backslash", "open\\id"],
    ["with a tab", "open\tid"],
    ["with DEL", "open\x7fid"],
    ["with a NUL", "open\0id"],
    ["with a letter beyond ASCII", "open\u00efd"],
  ].map(([what, scope]) => ({
    title: `a scope ${what}`,
    changes: { scopes: ["openid", scope] },
    fields: ["scopes[1]"],
  })),
  {
    title: "more scopes than fifty, before any of them is checked",
    changes: { scopes: Array.from({ length: 51 }, (_, index) => `a b ${index}`) },
    fields: ["scopes"],
  },
  {
    title: "several bad scopes, each by its place in the request",
    changes: { scopes: ["", "openid", "openid", 'a b"'] },
    fields: ["scopes[0]", "scopes[3]"],
  },
  {
    title: "fifty-one scopes in two texts",
    changes: { scopes: ["openid", manyScopes(50).join(" ")] },
    fields: ["scopes"],
  },
  ...(
    [
      ["stylingType", 2],
      ["displayNameMapping", 3],
      ["usernameMapping", 3],
    ] as const
  ).flatMap(([field, first]) =>
    [first, -1].map((value) => ({
      title: `${field} with the unknown number ${value}`,
      changes: { [field]: value },
      fields: [field],
    })),
  ),
  {
    title: "every field wrong at once, all of them named",
    changes: {
      name: "",
      stylingType: 9,
      clientId: "\0",
      clientSecret: `${CLIENT_SECRET}${"x".repeat(200)}`,
      issuer: "accounts.example.com",
      scopes: ["openid", "a\tb"],
      displayNameMapping: 9,
      usernameMapping: 9,
    },
    fields: [
      "name",
      "stylingType",
      "clientId",
      "clientSecret",
      "issuer",
      "scopes[1]",
      "displayNameMapping",
      "usernameMapping",
    ],
  },
];

/** JSON that the clients of the tests cannot send, because it does not match the message. */
export const REJECTED_IDP_JSON: readonly { title: string; changes: object; field: string }[] = [
  ...["stylingType", "displayNameMapping", "usernameMapping"].map((field) => ({
    title: `${field} with an unknown name`,
    changes: { [field]: "SOMETHING_ELSE" },
    field,
  })),
  ...["name", "clientId"].map((field) => ({
    title: `${field} with a lone surrogate`,
    changes: { [field]: "one\ud800" },
    field,
  })),
  { title: "a number for name", changes: { name: 1 }, field: "name" },
  { title: "a field that is not known", changes: { clientSecrets: "x" }, field: "clientSecrets" },
  { title: "one scope instead of a list", changes: { scopes: "openid" }, field: "scopes" },
  { title: "a scope that is null", changes: { scopes: ["openid", null] }, field: "scopes[1]" },
];

function issuerOfLength(length: number): string {
  return "https://accounts.example.com/".padEnd(length, "x");
}

function shorten(text: string): string {
  return text.length > 60 ? `of ${text.length} characters` : text;
}

function manyScopes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `scope-${index}`);
}
