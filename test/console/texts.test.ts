import { DE_IMPORT } from "../../console/screens/import/texts/de.ts";
import { EN_IMPORT } from "../../console/screens/import/texts/en.ts";
import { DE } from "../../console/texts/de/de.ts";
import { DE_REASONS } from "../../console/texts/de/reasons.ts";
import { DE_SCIM } from "../../console/texts/de/scim.ts";
import { EN } from "../../console/texts/en/en.ts";
import { EN_REASONS } from "../../console/texts/en/reasons.ts";
import { EN_SCIM } from "../../console/texts/en/scim.ts";
import { REASONS } from "../../src/errors.ts";
import { toAggregateText, toAggregateType } from "../../src/events/aggregate-types.ts";
import { EVENT_TEXTS, toEventText } from "../../src/events/catalogue.ts";

const ENGLISH = { ...EN, import: EN_IMPORT, scim: EN_SCIM, reasons: EN_REASONS };
const GERMAN = { ...DE, import: DE_IMPORT, scim: DE_SCIM, reasons: DE_REASONS };

/** The same in both languages. */
const SAME = [
  ...["users.columns.name", "user.waysIn.passkeys", "orgs.name", "users.filters"],
  ...["shell.pages.webhooks", "shell.pages.apis", "webhooks.title", "webhooks.webhook", "webhooks.url"],
  "scim.token",
  ...["apis.title", "apis.api", "apis.scopes", "import.pause", "import.fields.passkeys", "import.droppable.passkeys"],
  ...["id", "status", "accountControl"].map((name) => `import.columns.fields.${name}`),
  ...["members.placed.types.1", "members.placed.types.2", "members.placed.types.5"],
  ...["signerKey", "saltSeparator", "rounds", "memCost"].map((name) => `import.firebase.${name}`),
  ...["google", "microsoft", "apple", "github", "githubServer", "gitlab", "oidc", "oauth", "saml"].map(
    (kind) => `idps.kinds.${kind}.name`,
  ),
];

/** Every text by its path. Functions get a value for each parameter. */
function textsOf(part: unknown, path = ""): [string, string][] {
  if (typeof part === "string") return [[path, part]];
  if (typeof part === "function")
    return [[path, String(part(...Array.from({ length: part.length }, (_, index) => index + 2)))]];
  return Object.entries(part as object).flatMap(([name, inner]) =>
    textsOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

test("no German text is still English", () => {
  const english = new Map(textsOf(ENGLISH));
  const equal = textsOf(GERMAN).filter(([path, text]) => english.get(path) === text && !SAME.includes(path));
  expect(equal.map(([path]) => path)).toEqual([]);
});

test("no text is empty", () => {
  for (const language of [ENGLISH, GERMAN]) {
    expect(textsOf(language).filter(([, text]) => text.trim() === "")).toEqual([]);
  }
});

test("every type of event and object has words in both languages", () => {
  const types = Object.keys(EVENT_TEXTS);
  const objects = [...new Set(types.map(toAggregateType))];
  // The English ones are those of the API.
  expect(EN.events).toEqual({ types: {}, objects: {} });
  expect(types.filter((type) => [type, ""].includes(toEventText(type)))).toEqual([]);
  expect(objects.filter((type) => [type, ""].includes(toAggregateText(type)))).toEqual([]);
  expect(Object.keys(DE.events.types).sort()).toEqual(types.toSorted());
  expect(Object.keys(DE.events.objects).sort()).toEqual(objects.toSorted());
  expect(types.filter((type) => DE.events.types[type] === toEventText(type))).toEqual([]);
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

test("every reason that the console can meet has a text in both languages", () => {
  const missing = (texts: object) => Object.keys(REASONS).filter((reason) => !Object.hasOwn(texts, reason));
  expect(missing(EN_REASONS).sort()).toEqual(WITHOUT_TEXT.toSorted());
  expect(missing(DE_REASONS).sort()).toEqual(WITHOUT_TEXT.toSorted());
  expect(Object.keys(EN_REASONS).filter((reason) => !(reason in REASONS))).toEqual([]);
});
