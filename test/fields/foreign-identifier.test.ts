import { isForeignIdentifier } from "../../src/fields/foreign-identifier.ts";

test.each([
  ["a name", "jane", [], false],
  ["the user's address in another case", " Jane@Example.com", ["jane@example.com"], false],
  ["the current name", "jane@work", ["jane@example.com", "jane@work"], false],
  ["another address", "victim@example.com", ["jane@example.com", ""], true],
  ["another address that differs in one dot", "ja.ne@example.com", ["jane@example.com"], true],
  ["another address with the Kelvin sign", "\u212aarl@example.com", ["jane@example.com"], true],
  ["a number", "tel:+41-79-123-45-67", ["jane@example.com"], true],
  ["the user's number", "+41 79 123 45 67", ["+41791234567"], false],
  ["digits", "0791234567", [], false],
  ["what is no address, but looks like one", "jane@localhost", ["jane@example.com"], true],
])("whether %s may be somebody else's address or number: %j", (_what, name, own, isForeign) => {
  expect(isForeignIdentifier(name, own)).toBe(isForeign);
});
