import { parseSearchedPhone } from "../../src/fields/searched-phone.ts";

test.each([
  ["+41791234567", "+41791234567"],
  [" tel:+41-79-123.45(67) ", "+41791234567"],
  ["+44 (0)20 7946 0958", "+442079460958"],
  ["+41791234567;ext=12", "+41791234567"],
  // An earlier form of Mexican numbers, which is stored as the present one.
  ["+5215512345678", "+525512345678"],
  // Not possible.
  ["+999 12", "+99912"],
])("%j is the number %s", (value, e164) => {
  expect(parseSearchedPhone(value, "whole")).toEqual({ ok: true, e164 });
});

test.each([
  ["+4", "+4"],
  ["+41 79 1", "+41791"],
  ["+41 (", "+41"],
  ["+44 (0)20", "+4420"],
  ["TEL:+1(650) 253", "+1650253"],
  ["+41791234567", "+41791234567"],
])("%j is the beginning %s", (value, e164) => {
  expect(parseSearchedPhone(value, "start")).toEqual({ ok: true, e164 });
});

test.each(["", "+", "+ ()", "079 123 45 67", "0041", "+41x", "+41\n79", "++41", "+٤١", "call +41"])(
  "%j is neither",
  (value) => {
    expect(parseSearchedPhone(value, "whole")).toEqual({
      ok: false,
      description: "must be a phone number in global format, such as +41791234567",
    });
    expect(parseSearchedPhone(value, "start")).toEqual({
      ok: false,
      description: "must be the beginning of a phone number in global format, such as +41 79",
    });
  },
);

test("a beginning has no extension", () => {
  expect(parseSearchedPhone("+4179;ext=12", "start")).toMatchObject({ ok: false });
});
