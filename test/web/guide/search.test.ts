import { readFileSync } from "node:fs";
import MiniSearch from "minisearch";

interface Section {
  readonly path: string;
  readonly text: string;
}

/** Scripts of the page, which have no types. */
const FOLDER: string = "../../../src/web/guide";
const { createSearch } = await import(`${FOLDER}/search.js`);
const { SYNONYMS, ABSENT } = await import(`${FOLDER}/synonyms.js`);

const sections: readonly Section[] = JSON.parse(readFileSync("gen/guide/search.json", "utf8"));
const search: (text: string) => Section[] | undefined = createSearch(MiniSearch, sections);

test.each([
  ["2FA", "sign-in#required-second-factor"],
  ["how do I enforce MFA?", "sign-in#required-second-factor"],
  ["multi-tenant", "guides/customers"],
  ["social login", "providers"],
  ["SSO", "providers"],
  ["lockout", "sign-in#limits-of-attempts"],
  ["magic link", "messages#what-is-sent-when"],
  ["invite user", "messages#what-is-sent-when"],
  ["self registration", "sign-in#registration"],
  ["sign up", "sign-in#registration"],
  ["audit log", "events"],
  ["React", "guides/browser-app"],
  ["SPA", "guides/browser-app"],
  ["logout", "sign-in#endpoints"],
  ["session", "sign-in#lifetimes"],
  ["rate limit", "security#limits"],
  ["GDPR", "events#privacy"],
  ["export", "moving#moving-out"],
  ["login with Google", "providers/google"],
  ["SCIM", "scim"],
  ["provisioning", "scim"],
  ["directory sync", "scim"],
  ["Entra", "guides/entra"],
  ["Okta", "guides/okta"],
  ["idempotency keys", "api#idempotency-keys"],
])("the search for %j first finds %j", (text, path) => {
  expect(search(text)?.[0]?.path).toBe(`/docs/guide/${path}`);
});

test.each(["impersonate a user"])("the search for %j, which Signet does not have, finds nothing", (text) => {
  expect(search(text)).toBeUndefined();
});

test("every synonym is written once, as the search reads it, and leads to a section of the guide", () => {
  const phrases = [...Object.values<string[]>(SYNONYMS).flat(), ...ABSENT];
  expect(phrases.filter((phrase, at) => phrases.indexOf(phrase) !== at)).toEqual([]);
  expect(phrases.filter((phrase) => !/^[a-z0-9]+( [a-z0-9]+)*$/.test(phrase))).toEqual([]);
  const paths = sections.map(({ path }) => path);
  expect(Object.keys(SYNONYMS).filter((path) => !paths.includes(`/docs/guide/${path}`))).toEqual([]);
});

test("the guide has nothing about what the search says that Signet does not have", () => {
  const isAbout = new RegExp(`\\b(?:${ABSENT.join("|")})\\b`, "i");
  expect(sections.filter(({ text }) => isAbout.test(text)).map(({ path }) => path)).toEqual([]);
});
