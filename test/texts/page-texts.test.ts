import { TEXTS } from "../../src/texts/languages.ts";
import { builtInLanguage, namesOf, originalText, PAGE_TEXT_KEYS, replaceTexts } from "../../src/texts/page-language.ts";
import { chooseForm, fillIn } from "../../src/texts/placeholders.ts";

test("texts of messages are no texts of pages", () => {
  expect(PAGE_TEXT_KEYS.length).toBeGreaterThan(500);
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
  const { text } = texts.signIn.idp.unknown;
  expect(fillIn(text, { name: "{{org}}", org: "Acme" })).toBe("Acme kennt {{org}} nicht");
  const { wrong } = texts.links.phone.errors;
  expect(fillIn(chooseForm(wrong, 1, "de"), { left: 1 })).toBe("Noch 1");
});

test("all other texts are the built-in ones", () => {
  const { tag, texts } = replaceTexts("fr", { "signIn.submit": "Entrer" });
  const original = TEXTS.fr;
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
