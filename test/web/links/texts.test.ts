import { describe, expect, test } from "@jest/globals";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { DEVICE_TEXTS } from "../../../src/oidc/pages/device-texts.ts";
import { ERROR_TEXTS } from "../../../src/oidc/pages/error-texts.ts";
import { LOGOUT_TEXTS } from "../../../src/oidc/pages/logout-texts.ts";
import { ACCOUNT_CODE_TEXTS } from "../../../src/web/account/texts/account-code-texts.ts";
import { ACCOUNT_TEXTS } from "../../../src/web/account/texts/account-texts.ts";
import { PASSWORD_TEXTS } from "../../../src/web/frame/password-texts.ts";
import { PROBLEM_TEXTS } from "../../../src/web/frame/problem-texts.ts";
import { INIT_TEXTS } from "../../../src/web/links/texts/init-texts.ts";
import { PASSKEY_TEXTS } from "../../../src/web/links/texts/passkey-texts.ts";
import { PHONE_TEXTS } from "../../../src/web/links/texts/phone-texts.ts";
import { RESET_TEXTS } from "../../../src/web/links/texts/reset-texts.ts";
import { IDP_TEXTS } from "../../../src/web/sign-in/texts/idp-texts.ts";
import { ONE_TIME_CODE_TEXTS } from "../../../src/web/sign-in/texts/one-time-code-texts.ts";
import { PASSKEY_OFFER_TEXTS } from "../../../src/web/sign-in/texts/passkey-offer-texts.ts";
import { PASSKEY_SIGN_IN_TEXTS } from "../../../src/web/sign-in/texts/passkey-sign-in-texts.ts";
import { SIGN_IN_TEXTS } from "../../../src/web/sign-in/texts/sign-in-texts.ts";

const ALL = [
  PROBLEM_TEXTS,
  PASSWORD_TEXTS,
  INIT_TEXTS,
  PHONE_TEXTS,
  PASSKEY_TEXTS,
  RESET_TEXTS,
  PASSKEY_SIGN_IN_TEXTS,
  PASSKEY_OFFER_TEXTS,
  ONE_TIME_CODE_TEXTS,
  ACCOUNT_CODE_TEXTS,
  ACCOUNT_TEXTS,
  IDP_TEXTS,
  SIGN_IN_TEXTS,
  DEVICE_TEXTS,
  ERROR_TEXTS,
  LOGOUT_TEXTS,
];

/** Words that are spelled as in English. */
const SAME_WORDS = ["Name", "Code", "Passkeys", "Application"];

describe.each(LANGUAGES)("the texts of the pages in %s", (language) => {
  const texts = ALL.flatMap((part) => textsOf(part[language]));

  test("are complete, without white space at either end", () => {
    expect(texts.length).toBeGreaterThan(250);
    for (const text of texts) expect(text).toMatch(/^\S(.*\S)?$/);
  });

  test("follow the punctuation rules of the language", () => {
    for (const text of texts) {
      expect(text).not.toMatch(/['"]|\.\.\.| {2}| [,.]/);
      if (language === "fr") expect(text).not.toMatch(/(?<!\u00a0):|(?<!\u202f)[;!?]/);
      else expect(text).not.toMatch(/[\s\u00a0][:;!?]/);
      if (language === "es") expect(text).not.toMatch(/^[^¿]*\?|^[^¡]*!/);
    }
  });

  test("differ from the English ones", () => {
    if (language === "en") return;
    const english = new Set(ALL.flatMap((part) => textsOf(part.en)));
    expect(texts.filter((text) => english.has(text) && !SAME_WORDS.includes(text))).toEqual([]);
  });
});

/** All texts of a part, including those that are functions. */
function textsOf(part: unknown): string[] {
  if (typeof part === "string") return [part];
  if (typeof part === "function") return [1, 3].map((value) => String(part(value)));
  return Object.values(part as object).flatMap(textsOf);
}
