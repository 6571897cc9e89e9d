import { parsePhone, readPhone } from "../../src/fields/phone.ts";

test.each([
  ["+41791234567", "+41791234567"],
  ["+41 79 123-45-67", "+41791234567"],
  ["tel:+41-79-123-45-67", "+41791234567"],
  ["TEL:+1(650)253.0000", "+16502530000"],
  ["+()41791234567.", "+41791234567"],
  ["+44 (0)20 7946 0958", "+442079460958"],
  ["+39 06 1234 5678", "+390612345678"],
  ["+80012345678", "+80012345678"],
  ["tel:+41-79-123-45-67;ext=12", "+41791234567"],
  ["TEL:+41-79-123-45-67;ISUB=12.a%20b;EXT=(0)1-2", "+41791234567"],
  ["+41791234567;ext=12", "+41791234567"],
  [" \u00a0\t+41791234567\n", "+41791234567"],
  ["\u202a+41 79 123 45 67\u202c", "+41791234567"],
  ["+41\u00a079\u2009123\u202f45\u300067", "+41791234567"],
  ["+41\u201079\u2011123\u201345\u221267", "+41791234567"],
  ["tel:+41791234567;foo=bar;npdi;cic=+1-234;ext=5", "+41791234567"],
  ["+5215512345678", "+525512345678"],
  ["tel:+52-1-55-1234-5678", "+525512345678"],
  ["+525512345678", "+525512345678"],
])("%j is stored as %s", (value, e164) => {
  expect(parsePhone(value)).toEqual({ ok: true, e164 });
});

test("a number in a range that is not in use is accepted", () => {
  expect(parsePhone("+41000000000")).toEqual({ ok: true, e164: "+41000000000" });
});

test.each([
  ["a local number", "079 123 45 67"],
  ["a number with an international prefix", "0041791234567"],
  ["a local number with a context", "tel:791234567;phone-context=+41"],
  ["an extension of letters", "tel:+41791234567;ext=a"],
  ["an empty subaddress", "tel:+41791234567;isub="],
  ["text behind an extension", "tel:+41791234567;ext=12 or 13"],
  ["an extension in words", "+41791234567 ext. 12"],
  ["a malformed parameter", "tel:+41791234567;foo="],
  ["a context of a global number", "tel:+41791234567;phone-context=+41"],
  ["letters", "+1800FLOWERS"],
  ["text around it", "call +41791234567"],
  ["a line break", "+41\n791234567"],
  ["a tab", "+41\t791234567"],
  ["digits of another script", "+٤١٧٩١٢٣٤٥٦٧"],
  ["full-width digits", "+４１７９１２３４５６７"],
  ["two plus signs", "++41791234567"],
  ["another scheme", "sms:+41791234567"],
  ["no digit", "+-.() "],
  ["nothing", ""],
  ["a lone surrogate", "+4179123456\ud800"],
])("%s is refused by the grammar", (_what, value) => {
  expect(parsePhone(value)).toEqual({
    ok: false,
    description: expect.stringMatching(/^must be a phone number in global/),
  });
});

test.each([
  ["a calling code that does not exist", "+999123456789"],
  ["a calling code of zeros", "+000000000"],
  ["a Mexican number with a 1 that is too short", "+52155123456"],
  ["too few digits for the country", "+4179123456"],
  ["a local number after the calling code", "+12530000"],
  ["too many digits for the country", "+165025300001"],
  ["far too many digits", `+1${"2".repeat(400)}`],
])("%s is refused as impossible", (_what, value) => {
  expect(parsePhone(value)).toEqual({
    ok: false,
    description: expect.stringMatching(/^must be a possible phone number/),
  });
});

test.each([
  [
    "079 123 45 67",
    "must be a phone number in global format, such as +41791234567 or tel:+41-79-123-45-67; this one starts with 0, not with +",
  ],
  [
    "+4179E",
    "must be a phone number in global format, such as +41791234567 or tel:+41-79-123-45-67; this one contains E",
  ],
  [
    "+41\n79",
    "must be a phone number in global format, such as +41791234567 or tel:+41-79-123-45-67; this one contains U+000A",
  ],
  [
    "+999123456789",
    "must be a possible phone number, with an existing country calling code and a valid length; this one starts with +999 and has 12 digits",
  ],
])("the error for %j says what was seen", (value, description) => {
  expect(parsePhone(value)).toEqual({ ok: false, description });
});

test.each([
  ["079 123 45 67", "CH", "+41791234567"],
  ["079\u00a0123\u201145\u201367", "CH", "+41791234567"],
  ["(079) 123-45-67", "CH", "+41791234567"],
  ["0 79/123.45.67", "CH", "+41791234567"],
  ["(650) 253-0000", "US", "+16502530000"],
  ["+41 79 123 45 67", "US", "+41791234567"],
  ["tel:+41-79-123-45-67", undefined, "+41791234567"],
  ["079 123 45 67", "US", "+10791234567"],
  ["079 123 45 67", undefined, null],
  ["079 123 45 67", "419", null],
  ["079 123 45 67", "XX", null],
  ["12345", "CH", null],
  ["0791234567 or so", "CH", null],
  ["٠٧٩١٢٣٤٥٦٧", "CH", null],
  ["ada@example.com", "CH", null],
  ["", "CH", null],
  ["0".repeat(60_000), "CH", null],
])("%j, as entered in %s, is %s", (entered, region, e164) => {
  expect(readPhone(entered, region)).toBe(e164);
});
