import { LANGUAGES, TEXTS } from "../../src/texts/languages.ts";
import { builtInLanguage, replaceTexts } from "../../src/texts/page-language.ts";
import { hasItsPlaceholders, namesOf, originalText, PAGE_TEXT_KEYS } from "../../src/texts/page-text-keys.ts";

test.each(LANGUAGES)("each text of pages in %s has each of its placeholders, and no other", (language) => {
  expect(PAGE_TEXT_KEYS.length).toBeGreaterThan(500);
  const wrong = PAGE_TEXT_KEYS.filter((key) => !hasItsPlaceholders(key, originalText(language, key) ?? ""));
  expect(wrong).toEqual([]);
});

test("texts of messages are no texts of pages", () => {
  expect(PAGE_TEXT_KEYS.filter((key) => key.startsWith("messages."))).toEqual([]);
  expect(originalText("en", "messages.sms")).toBeUndefined();
});

test("a replaced text takes the values of the original, which are not searched for placeholders", () => {
  expect(namesOf("signIn.idp.unknown.text")).toEqual(["name", "org"]);
  const { texts } = replaceTexts("de", {
    "signIn.submit": "Los",
    "signIn.idp.unknown.text": "{{org}} kennt {{name}} nicht",
    "links.phone.errors.wrong": "Noch {{left}}",
  });
  expect(texts.signIn.submit).toBe("Los");
  expect(texts.signIn.idp.unknown.text("{{org}}", "Acme")).toBe("Acme kennt {{org}} nicht");
  expect(texts.links.phone.errors.wrong(1)).toBe("Noch 1");
});

test("all other texts are the built-in ones", () => {
  const { tag, texts } = replaceTexts("fr", { "signIn.submit": "Entrer" });
  const { messages: _, ...original } = TEXTS.fr;
  expect(tag).toBe("fr");
  expect(texts).toEqual({ ...original, signIn: { ...original.signIn, submit: "Entrer" } });
  expect(texts.account).toBe(original.account);
});

test.each([
  ["an unknown key", { "signIn.gone": "A" }],
  ["a key of a part", { signIn: "A" }],
  ["a placeholder that the text no longer has", { "signIn.submit": "{{app}}" }],
  ["a missing placeholder", { "signIn.titleFor": "Welcome" }],
])("a stored text with %s is not used", (_, replaced) => {
  expect(replaceTexts("en", replaced)).toEqual(builtInLanguage("en"));
});
