import { readFileSync } from "node:fs";
import { LANGUAGES, type Language, TEXTS } from "../../src/texts/languages.ts";
import { placeholdersIn } from "../../src/texts/placeholders.ts";
import { hasWrongPunctuation } from "../support/punctuation.ts";

/** Words that are spelled as in English. */
const SAME_WORDS = ["Name", "Code", "Passkeys", "Application", "Error: {{title}}"];

/** The alphabet of SMS has no typographic spaces. */
const SMS = /^messages\.(sms|resetSms)\b/;

describe.each(LANGUAGES)("the texts in %s", (language) => {
  const texts = textsOf(TEXTS[language]);

  test("are complete, without white space at either end", () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter(([, text]) => !/^\S(.*\S)?$/.test(text))).toEqual([]);
  });

  test("follow the punctuation rules of the language", () => {
    expect(texts.filter(([path, text]) => !SMS.test(path) && hasWrongPunctuation(language, text))).toEqual([]);
  });

  test("differ from the English ones", () => {
    if (language === "en") return;
    const english = new Set(textsOf(TEXTS.en).map(([, text]) => text));
    expect(texts.filter(([, text]) => english.has(text) && !SAME_WORDS.includes(text))).toEqual([]);
  });

  test("have the placeholders of the English ones", () => {
    const withPlaceholders = (tag: Language) =>
      textsOf(TEXTS[tag]).map(([path, text]) => [path, [...new Set(placeholdersIn(text))].sort()]);
    expect(withPlaceholders(language)).toEqual(withPlaceholders("en"));
  });

  test("name the link for a forgotten password as the sign-in page does", () => {
    const { messages, signIn } = TEXTS[language];
    expect(messages.notices.advice).toContain(signIn.forgotten);
  });

  test("are listed in docs/messages.md", () => {
    const name = new Intl.DisplayNames("en", { type: "language" }).of(language);
    const page = readFileSync("docs/messages.md", "utf8");
    expect(page.match(new RegExp(`^\\| ${name} \\|`, "gm")) ?? []).toHaveLength(1);
  });
});

/** All texts, and their paths. */
function textsOf(part: unknown, path: readonly string[] = []): [path: string, text: string][] {
  if (typeof part === "string") return [[path.join("."), part]];
  return Object.entries(part as object).flatMap(([name, value]) => textsOf(value, [...path, name]));
}
