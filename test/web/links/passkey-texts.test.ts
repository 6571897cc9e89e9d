import { describe, expect, test } from "@jest/globals";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { PASSKEY_TEXTS } from "../../../src/web/links/texts/passkey-texts.ts";

describe.each(LANGUAGES)("the texts of the passkey page in %s", (language) => {
  const texts = JSON.stringify(PASSKEY_TEXTS[language]).match(/(?<=:)"[^"]+"/g) ?? [];

  test("are all there", () => {
    expect(texts.length).toBe(26);
    for (const text of texts) expect(text).toMatch(/^"\S.*\S"$/);
  });

  test("have the signs that the language writes", () => {
    for (const text of texts) {
      expect(text).not.toMatch(/'|\.\.\.| {2}| [,.]/);
      if (language === "fr") expect(text.slice(1, -1)).not.toMatch(/(?<!\u00a0|\u202f)[:;!?]/);
      else expect(text).not.toMatch(/[\s\u00a0][:;!?]/);
    }
  });

  test("are those of the language alone", () => {
    if (language === "en") return;
    const english = new Set(JSON.stringify(PASSKEY_TEXTS.en).match(/(?<=:)"[^"]+"/g));
    // "Name" is German too.
    expect(texts.filter((text) => english.has(text) && text !== '"Name"')).toEqual([]);
  });
});
