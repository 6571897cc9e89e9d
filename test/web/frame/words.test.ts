import { describe, expect, test } from "@jest/globals";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { toNetwork } from "../../../src/web/frame/address-limit.ts";
import { PROBLEM_TEXTS } from "../../../src/web/frame/problem-texts.ts";
import { whenToTry } from "../../../src/web/frame/when-to-try.ts";
import { INIT_TEXTS } from "../../../src/web/links/texts/init-texts.ts";
import { PHONE_TEXTS } from "../../../src/web/links/texts/phone-texts.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1::2:3:4:5", "1:0:0:0::/64"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["1:2:3:4:5:6:192.0.2.1", "1:2:3:4::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["", ""],
  ["192.0.2.1:4711", "192.0.2.1:4711"],
  ["x".repeat(5_000), "x".repeat(64)],
])("the address %s counts as %s", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test.each([
  [0, "in 1 second"],
  [1, "in 1 second"],
  [58.2, "in 59 seconds"],
  [60, "in 1 minute"],
  [61, "in 2 minutes"],
  [3_540, "in 59 minutes"],
  [3_541, "in 1 hour"],
  [3_601, "in 2 hours"],
  [86_400, "in 24 hours"],
])("%s seconds are told as %s", (seconds, words) => {
  expect(whenToTry(seconds, "en")).toBe(words);
});

describe.each(LANGUAGES)("the texts in %s", (language) => {
  const texts = textsOf([PROBLEM_TEXTS[language], INIT_TEXTS[language], PHONE_TEXTS[language]]);

  test("are all there, with what is put into them", () => {
    expect(texts.length).toBeGreaterThan(80);
    for (const text of texts) expect(text).toMatch(/^\S.*\S$/);
  });

  test("have the signs that the language writes", () => {
    for (const text of texts) {
      expect(text).not.toMatch(/['"]|\.\.\.| {2}| [,.]/);
      if (language === "fr") expect(text).not.toMatch(/(?<!\u00a0|\u202f)[:;!?]/);
      else expect(text).not.toMatch(/[\s\u00a0][:;!?]/);
      if (language === "es") expect(text).not.toMatch(/^[^¿]*\?|^[^¡]*!/);
    }
  });
});

/** All texts, those that are made of values too. */
function textsOf(part: unknown): string[] {
  if (typeof part === "string") return [part];
  if (typeof part === "function") return [1, 3].map((value) => String(part(value)));
  return Object.values(part as object).flatMap(textsOf);
}
