import { describeEmailProblem } from "../../src/fields/email.ts";

const label63 = "b".repeat(63);

test.each([
  "jane@example.com",
  "jane.doe+tag@mail.example.co.uk",
  "!#$%&'*+-/=?^_`{|}~@example.com",
  "j@1and1.com",
  "JANE@EXAMPLE.COM",
  "jürgen@müller.de",
  "用户@例子.广告",
  "jane@xn--mller-kva.de",
  `${"a".repeat(64)}@example.com`,
  `${"ä".repeat(32)}@example.com`,
  `jane@${label63}.com`,
])("%s is accepted", (value) => {
  expect(describeEmailProblem(value)).toBeUndefined();
});

test.each([
  ["no @", "jane.example.com", /one @/],
  ["two @", "jane@doe@example.com", /one @/],
  ["nothing", "", /one @/],
  ["a full-width @", "jane＠example.com", /one @/],
  ["no local part", "@example.com", /before the @/],
  ["a dot at the start", ".jane@example.com", /before the @/],
  ["a dot at the end", "jane.@example.com", /before the @/],
  ["two dots", "jane..doe@example.com", /before the @/],
  ["a quoted local part", '"jane doe"@example.com', /must have only letters/],
  ["a comment", "jane(x)@example.com", /before the @/],
  ["a display name", "Jane <jane@example.com>", /before the @/],
  ["two addresses", "jane,joe@example.com", /before the @/],
  ["a header injected", "jane\r\nBcc:joe@example.com", /before the @/],
  ["a NUL", "ja\0ne@example.com", /before the @/],
  ["a C1 control character", "ja\u0085ne@example.com", /before the @/],
  ["a no-break space", "ja\u00a0ne@example.com", /before the @/],
  ["a zero-width space", "ja\u200bne@example.com", /before the @/],
  ["a bidirectional override", "ja\u202ene@example.com", /before the @/],
  ["a lone surrogate", "ja\ud800ne@example.com", /before the @/],
  ["65 octets of local part", `${"a".repeat(65)}@example.com`, /at most 64 bytes/],
  ["33 letters of two octets", `${"ä".repeat(33)}@example.com`, /at most 64 bytes/],
  ["no domain", "jane@", /domain name/],
  ["a single label", "jane@localhost", /domain name/],
  ["a dot at the end of the domain", "jane@example.com.", /domain name/],
  ["an empty label", "jane@example..com", /domain name/],
  ["a hyphen at a label's start", "jane@-example.com", /domain name/],
  ["a hyphen at a label's end", "jane@example-.com", /domain name/],
  ["an underscore", "jane@exam_ple.com", /domain name/],
  ["an address literal", "jane@[192.0.2.1]", /domain name/],
  ["an IPv4 address", "jane@192.0.2.1", /domain name/],
  ["an IPv4 address in full width", "jane@１.２", /domain name/],
  ["an ideographic full stop", "jane@example。com", /domain name/],
  ["a space at the end", "jane@example.com ", /domain name/],
  ["a line break at the end", "jane@example.com\n", /domain name/],
  ["a label of 64", `jane@${label63}b.com`, /63 between dots/],
  ["a label of 64 once encoded", `jane@${"ü".repeat(61)}.com`, /63 between dots/],
  ["255 octets", `jane@${[label63, label63, label63].join(".")}.${"c".repeat(54)}.com`, /at most 254 bytes/],
])("%s is refused", (_what, value, description) => {
  expect(describeEmailProblem(value)).toMatch(description);
});

test("254 octets are accepted", () => {
  const value = `jane@${[label63, label63, label63].join(".")}.${"c".repeat(53)}.com`;
  expect(value).toHaveLength(254);
  expect(describeEmailProblem(value)).toBeUndefined();
});
