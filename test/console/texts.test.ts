import { DE_IMPORT } from "../../console/screens/import/texts/de.ts";
import { EN_IMPORT } from "../../console/screens/import/texts/en.ts";
import { ES_IMPORT } from "../../console/screens/import/texts/es.ts";
import { FR_IMPORT } from "../../console/screens/import/texts/fr.ts";
import { DE } from "../../console/texts/de/de.ts";
import { REASONS as DE_REASONS, RULES as DE_RULES } from "../../console/texts/de/reasons.ts";
import { DE_SCIM } from "../../console/texts/de/scim.ts";
import { EN } from "../../console/texts/en/en.ts";
import { REASONS as EN_REASONS } from "../../console/texts/en/reasons.ts";
import { EN_SCIM } from "../../console/texts/en/scim.ts";
import { ES } from "../../console/texts/es/es.ts";
import { REASONS as ES_REASONS, RULES as ES_RULES } from "../../console/texts/es/reasons.ts";
import { ES_SCIM } from "../../console/texts/es/scim.ts";
import { FR } from "../../console/texts/fr/fr.ts";
import { REASONS as FR_REASONS, RULES as FR_RULES } from "../../console/texts/fr/reasons.ts";
import { FR_SCIM } from "../../console/texts/fr/scim.ts";
import { REASONS } from "../../src/errors.ts";
import { toAggregateText, toAggregateType } from "../../src/events/aggregate-types.ts";
import { EVENT_TEXTS, toEventText } from "../../src/events/catalogue.ts";
import type { Language } from "../../src/texts/languages.ts";
import { hasWrongPunctuation } from "../support/punctuation.ts";

const ENGLISH = { ...EN, import: EN_IMPORT, scim: EN_SCIM, reasons: EN_REASONS };

/** The other languages, which are those of the pages. */
const OTHERS = {
  de: { texts: { ...DE, import: DE_IMPORT, scim: DE_SCIM, reasons: DE_REASONS }, rules: DE_RULES },
  es: { texts: { ...ES, import: ES_IMPORT, scim: ES_SCIM, reasons: ES_REASONS }, rules: ES_RULES },
  fr: { texts: { ...FR, import: FR_IMPORT, scim: FR_SCIM, reasons: FR_REASONS }, rules: FR_RULES },
} satisfies Record<Exclude<Language, "en">, object>;

const NAMES = [
  ...["Google", "Microsoft Entra ID", "Apple", "GitHub", "GitHub Enterprise Server", "GitLab.com"],
  ...["OpenID Connect", "OAuth 2.0", "SAML 2.0", "userAccountControl", "JSON Web Tokens"],
  ...["base64_signer_key", "base64_salt_separator", "rounds", "mem_cost"],
];

/** Words that are spelled as in English. */
const SAME_WORDS = {
  de: ["Name", "Id", "Status", "APIs", "Token", "Passkey", "Passkeys", "Link", "Pause"],
  es: ["No", "Token", "Tokens", "Roles", "SMS", "Color", "Code challenge (PKCE)", "2 bytes"],
  fr: [
    ...["Application", "Applications", "Code challenge (PKCE)", "Configuration", "Description", "Images", "Instance"],
    ...["Invitation", "invitation", "Logo", "Machines", "Messages", "Migrations", "Minutes", "Options", "Service"],
    ...["Sessions", "SMS", "Test", "Type"],
  ],
};

/** Every text by its path. Functions get a value for each parameter. */
function textsOf(part: unknown, path = ""): [string, string][] {
  if (typeof part === "string") return [[path, part]];
  if (typeof part === "function")
    return [[path, String(part(...Array.from({ length: part.length }, (_, index) => index + 2)))]];
  return Object.entries(part as object).flatMap(([name, inner]) =>
    textsOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

const ENGLISH_TEXTS = textsOf(ENGLISH);

/** The numbers in the texts of functions, which are the values that they got. */
function valuesOf(texts: readonly [string, string][], functions: ReadonlySet<string>) {
  return texts
    .filter(([path]) => functions.has(path))
    .map(([path, text]) => [path, [...new Set(text.match(/\d+/g))].sort()]);
}

function functionsOf(part: unknown, path = ""): string[] {
  if (typeof part === "string") return [];
  if (typeof part === "function") return [path];
  return Object.entries(part as object).flatMap(([name, inner]) =>
    functionsOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

const FUNCTIONS = new Set(functionsOf(ENGLISH));

test("no English text is empty", () => {
  expect(ENGLISH_TEXTS.filter(([, text]) => text.trim() === "")).toEqual([]);
});

describe.each(Object.entries(OTHERS))("the texts in %s", (language, { texts, rules }) => {
  const all = textsOf(texts);

  test("are complete, without white space at either end", () => {
    expect(all.filter(([path, text]) => text !== text.trim() && path !== "colon")).toEqual([]);
    expect(all.filter(([, text]) => text === "")).toEqual([]);
  });

  test("differ from the English ones", () => {
    const english = new Map(ENGLISH_TEXTS);
    const same = [
      ":",
      "API",
      "Scopes",
      "URL",
      "Webhook",
      "Webhooks",
      ...NAMES,
      ...SAME_WORDS[language as keyof typeof OTHERS],
    ];
    expect(all.filter(([path, text]) => english.get(path) === text && !same.includes(text))).toEqual([]);
  });

  test("say the values that the English ones say", () => {
    expect(FUNCTIONS.size).toBeGreaterThan(50);
    expect(valuesOf(all, FUNCTIONS)).toEqual(valuesOf(ENGLISH_TEXTS, FUNCTIONS));
  });

  test("follow the punctuation rules of the language", () => {
    expect(all.filter(([, text]) => hasWrongPunctuation(language, text))).toEqual([]);
    expect(rules.filter(([, text]) => hasWrongPunctuation(language, text))).toEqual([]);
  });

  test("have words for every type of event and object", () => {
    const { types, objects } = texts.events;
    expect(Object.keys(types).sort()).toEqual(TYPES.toSorted());
    expect(Object.keys(objects).sort()).toEqual(OBJECTS.toSorted());
    expect(TYPES.filter((type) => types[type] === toEventText(type))).toEqual([]);
  });

  test("keep the values of what the API says about fields", () => {
    for (const [ofApi, text] of rules) {
      const groups = Array.from(ofApi.source.matchAll(/\((?!\?)/g), (_, index) => `$${index + 1}`);
      expect([ofApi, text.match(/\$\d/g) ?? []]).toEqual([ofApi, groups]);
    }
  });
});

const TYPES = Object.keys(EVENT_TEXTS);
const OBJECTS = [...new Set(TYPES.map(toAggregateType))];

test("every type of event and object has words in English, which are those of the API", () => {
  expect(EN.events).toEqual({ types: {}, objects: {} });
  expect(TYPES.filter((type) => [type, ""].includes(toEventText(type)))).toEqual([]);
  expect(OBJECTS.filter((type) => [type, ""].includes(toAggregateText(type)))).toEqual([]);
});

/** Reasons of calls that the console does not make, and of requests that its program does not send. */
const WITHOUT_TEXT = [
  ...[
    "COMPRESSION_INVALID",
    "COMPRESSION_UNKNOWN",
    "CONTENT_TYPE_UNSUPPORTED",
    "FRAME_COMPRESSED",
    "HEADERS_TOO_LARGE",
  ],
  ...["HTTP_MALFORMED", "IDEMPOTENCY_KEY_REUSED", "MESSAGE_COUNT", "METHOD_NOT_ALLOWED"],
  ...["ORG_DOMAIN_EXISTS", "ORG_DOMAIN_NOT_FOUND", "ORG_DOMAIN_NOT_PROVED", "ORG_DOMAIN_NOT_VERIFIED"],
  ...["ORG_DOMAIN_TAKEN", "ORG_DOMAIN_VERIFIED", "TOO_MANY_DOMAINS", "TOO_MANY_DOMAIN_CHECKS"],
  ...["PAGE_TEXTS_LIMIT", "PASSWORD_HOOK_NOT_FOUND", "SCIM_CONNECTION_NOT_FOUND", "TEXT_NOT_FOUND"],
];

test("every reason that the console can meet has a text", () => {
  const missing = Object.keys(REASONS).filter((reason) => !Object.hasOwn(EN_REASONS, reason));
  expect(missing.sort()).toEqual(WITHOUT_TEXT.toSorted());
  expect(Object.keys(EN_REASONS).filter((reason) => !(reason in REASONS))).toEqual([]);
});
